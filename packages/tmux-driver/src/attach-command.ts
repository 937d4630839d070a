import type { PaneIdentity } from "@tmpm/core";
import { clientArguments, commandText } from "./argument.js";
import { guardFormat } from "./guard.js";

/** Attaches to the session of exactly this pane, or fails with a message that it is gone. */
export function attachArguments(identity: PaneIdentity): string[] {
  return clientArguments([
    [
      "if-shell",
      "-F",
      "-t",
      identity.pane_id,
      guardFormat(identity, "any"),
      commandText([["attach-session", "-t", identity.pane_id]]),
      commandText([["has-session", "-t", "=the session's terminal is gone"]]),
    ],
  ]);
}
