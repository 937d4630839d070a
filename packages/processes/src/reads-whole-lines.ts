import { shortageOf } from "@tmpm/core";
import { runProgram } from "./run-program.js";

/** Whether a terminal is in line mode. Also false for an unreadable one. @throws RESOURCE_EXHAUSTED */
export async function readsWholeLines(tty: string): Promise<boolean> {
  const argv = ["stty", process.platform === "linux" ? "-F" : "-f", tty, "-a"] as const;
  const end = await runProgram({ argv, env: process.env, withinMs: 2000 });
  const short = end.kind === "refused" ? shortageOf(end.error) : null;
  if (short !== null) throw short;
  return end.kind === "ended" && /(?:^|[\s;])icanon(?:$|[\s;])/.test(end.stdout);
}
