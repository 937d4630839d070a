import { type PaneIdentity, requireResources } from "@tmpm/core";
import { readsWholeLines } from "@tmpm/processes";
import type { ServerContext } from "../server/server-context.js";
import { LINE_LIMIT, lineTooLong, longestLine } from "./long-line.js";

/**
 * @throws LINE_TOO_LONG when the pane's line-mode program would lose the end of a line; TMUX_UNRESPONSIVE when that cannot be determined; RESOURCE_EXHAUSTED
 */
export async function requireShortLines(
  context: ServerContext,
  { identity, text }: { readonly identity: PaneIdentity; readonly text: string },
): Promise<void> {
  const longest = longestLine(text);
  if (longest <= LINE_LIMIT) return;
  const answer = await context.row(identity);
  if (answer.kind === "unknown") throw answer.error;
  if (answer.kind !== "present" || answer.value.row.dead) return;
  if (await readsWholeLines(answer.value.row.tty, requireResources)) throw lineTooLong(longest);
}
