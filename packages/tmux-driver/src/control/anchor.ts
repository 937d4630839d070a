import type { Command } from "../transport/channel.js";

/**
 * The session that the control client is attached to, so that it keeps alive, resizes and counts for no user's session. It is never listed.
 * Its program discards input; its echo signals to the client that a hook has run.
 */
export const ANCHOR = "tmpm_anchor";

const PROGRAM = ["/bin/sh", "-c", "exec cat >/dev/null"] as const;

/** Attaches to the anchor, creating it if missing. The client's `-N` prevents it from starting a server (tmux 3.2). */
export const ATTACH: Command = [
  "new-session",
  "-A",
  "-s",
  ANCHOR,
  "-n",
  ANCHOR,
  "-c",
  "/",
  "-x",
  "80",
  "-y",
  "24",
  "-f",
  "ignore-size",
  "--",
  ...PROGRAM,
];

/** Our hooks use an index that no configuration uses. */
const HOOK_INDEX = 7357;

/**
 * Set up by the connection once attached. tmux reports no death of a pane in another session, nor commands of hooks, but the echo of a key
 * that a hook presses in the anchor is output of an attached session.
 */
export const SETUP: readonly Command[] = [
  ["set-option", "-t", `=${ANCHOR}:`, "status", "off"],
  ["set-option", "-w", "-t", `=${ANCHOR}:`, "monitor-activity", "off"],
  ["set-hook", "-g", `pane-died[${HOOK_INDEX}]`, `send-keys -t '=${ANCHOR}:' Enter`],
];
