import { runProgram } from "./run-program.js";

/** Whether a terminal is in line mode. False for an unreadable one; what `refused` returns when the system does not start stty. */
export async function readsWholeLines(tty: string, refused: (error: Error) => boolean): Promise<boolean> {
  const argv = ["stty", process.platform === "linux" ? "-F" : "-f", tty, "-a"] as const;
  const end = await runProgram({ argv, env: process.env, withinMs: 2000 });
  if (end.kind === "refused") return refused(end.error);
  return end.kind === "ended" && /(?:^|[\s;])icanon(?:$|[\s;])/.test(end.stdout);
}
