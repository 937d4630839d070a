import type { PaneIdentity } from "@tmpm/core";
import type { AttachHow } from "../driver.js";
import { guardFormat } from "../effects/guard.js";
import { clientArguments, commandText } from "../transport/argument.js";
import type { Command } from "../transport/channel.js";

/** Shown briefly when attaching beside others. A pressed key is passed to the session. */
const WATCHED = "others are attached: their size is kept. `tmpm attach --resize` uses yours";
const SHOWN_MS = "4000";

/**
 * Attaches to the session of exactly this pane, or fails with a message that it is gone. A read-only terminal does not size the session
 * either (tmux 3.2: `-r`). `switching` is for a terminal that shows another session of the same server: it switches like tmux's own
 * `switch-client`.
 */
export function attachArguments(identity: PaneIdentity, how: AttachHow = {}): string[] {
  return clientArguments([
    [
      "if-shell",
      "-F",
      "-t",
      identity.pane_id,
      guardFormat(identity, "any"),
      commandText(how.switching === true ? switchingTo(identity, how) : attaching(identity, how)),
      commandText([["has-session", "-t", "=the session's terminal is gone"]]),
    ],
  ]);
}

function attaching({ pane_id }: PaneIdentity, { readOnly = false, keepSize = false }: AttachHow): readonly Command[] {
  if (readOnly) return [["attach-session", "-r", "-t", pane_id]];
  if (!keepSize) return [["attach-session", "-t", pane_id]];
  return [
    ["attach-session", "-f", "ignore-size", "-t", pane_id],
    ["display-message", "-d", SHOWN_MS, WATCHED],
  ];
}

/** The flag belongs to the terminal, so it is set again for every session that it switches to. */
function switchingTo({ pane_id }: PaneIdentity, { keepSize = false }: AttachHow): readonly Command[] {
  const went: readonly Command[] = [
    ["refresh-client", "-f", keepSize ? "ignore-size" : "!ignore-size"],
    ["switch-client", "-t", pane_id],
  ];
  return keepSize ? [...went, ["display-message", "-d", SHOWN_MS, WATCHED]] : went;
}
