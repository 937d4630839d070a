import type { PaneIdentity } from "@tmpm/core";
import { execa } from "execa";
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

/** Also false for an unreadable terminal. */
async function readsWholeLines(tty: string): Promise<boolean> {
  const { stdout } = await execa("stty", [process.platform === "linux" ? "-F" : "-f", tty, "-a"], {
    stdin: "ignore",
    reject: false,
    timeout: 2000,
    killSignal: "SIGKILL",
  });
  return /(?:^|[\s;])icanon(?:$|[\s;])/.test(stdout);
}
