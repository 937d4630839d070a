import type { Command } from "../transport/channel.js";

/**
 * The session that the control client is attached to, so that no user's session is kept alive, sized or counted by it. It is never listed.
 * Its program throws away what it reads; its echo signals to the client that a hook has run.
 */
export const ANCHOR = "tmpm_anchor";

const PROGRAM = ["/bin/sh", "-c", "exec cat >/dev/null"] as const;

/** Attaches to the anchor, which is made where it is missing. `-N`, given to the client, keeps it from starting a server (tmux 3.2). */
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

/** Hooks of ours stand at an index that no configuration uses. */
const HOOK_INDEX = 7357;

/**
 * What the connection sets up once attached. Nothing is notified of a pane of another session that dies, and commands of hooks notify of nothing, but the echo
 * of a key that a hook presses in the anchor is output of a session that we are attached to.
 */
export const SETUP: readonly Command[] = [
  ["set-option", "-t", `=${ANCHOR}:`, "status", "off"],
  ["set-option", "-w", "-t", `=${ANCHOR}:`, "monitor-activity", "off"],
  ["set-hook", "-g", `pane-died[${HOOK_INDEX}]`, `send-keys -t '=${ANCHOR}:' Enter`],
];
