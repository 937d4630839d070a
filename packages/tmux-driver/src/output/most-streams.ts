import { TmpmError } from "@tmpm/core";

/** With more control clients every change costs the server noticeably. */
const MOST = 20;

/** @throws RESOURCE_EXHAUSTED when that many panes are already being read */
export function requireStream(open: number): void {
  if (open < MOST) return;
  throw new TmpmError("RESOURCE_EXHAUSTED", `the output of ${MOST} panes is already being read`, {
    hint: "Close a subscription first, or poll with captures.",
  });
}
