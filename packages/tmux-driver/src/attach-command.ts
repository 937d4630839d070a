import type { PaneIdentity } from "@tmpm/core";
import { clientArguments, commandText } from "./argument.js";
import { guardFormat } from "./guard.js";

/** Attaches to the session of exactly this pane, or fails with a message that it is gone. A terminal that only watches gives the session no size either (tmux 3.2: `-r`). */
export function attachArguments(identity: PaneIdentity, { readOnly = false }: { readonly readOnly?: boolean } = {}): string[] {
  return clientArguments([
    [
      "if-shell",
      "-F",
      "-t",
      identity.pane_id,
      guardFormat(identity, "any"),
      commandText([["attach-session", ...(readOnly ? ["-r"] : []), "-t", identity.pane_id]]),
      commandText([["has-session", "-t", "=the session's terminal is gone"]]),
    ],
  ]);
}
