import { type PaneIdentity, shortageOf } from "@tmpm/core";
import { runProgram } from "@tmpm/processes";
import type { ServerContext } from "../server/server-context.js";
import { LINE_LIMIT, lineTooLong, longestLine } from "./long-line.js";

/**
 * @throws LINE_TOO_LONG when the pane's line-mode program would lose the end of a line; TMUX_UNRESPONSIVE when that cannot be determined
 */
export async function requireShortLines(
  context: ServerContext,
  { identity, text }: { readonly identity: PaneIdentity; readonly text: string },
): Promise<void> {
  const longest = longestLine(text);
  if (longest <= LINE_LIMIT) return;
  const answer = await context.row(identity);
  if (answer.kind === "unknown") throw answer.error;
  if (answer.kind !== "present" || answer.value.row.dead || !(await readsWholeLines(answer.value.row.tty))) return;
  throw lineTooLong(longest);
}

/** Also false for an unreadable terminal. @throws RESOURCE_EXHAUSTED */
async function readsWholeLines(tty: string): Promise<boolean> {
  const argv = ["stty", process.platform === "linux" ? "-F" : "-f", tty, "-a"] as const;
  const end = await runProgram({ argv, env: process.env, withinMs: 2000 });
  const short = end.kind === "refused" ? shortageOf(end.error) : null;
  if (short !== null) throw short;
  return end.kind === "ended" && /(?:^|[\s;])icanon(?:$|[\s;])/.test(end.stdout);
}
