import { shortageOf, TmpmError } from "@tmpm/core";
import { runProgram } from "@tmpm/processes";

/** A terminal in line mode keeps this many bytes of a line and drops the rest, including the Enter. */
const LINE_LIMIT = process.platform === "linux" ? 4095 : 1023;

/** @throws LINE_TOO_LONG when the terminal's line-mode program would lose the end of a line */
export async function requireShortLines(text: string, tty: () => Promise<string>): Promise<void> {
  const longest = text.split("\n").reduce((most, line) => Math.max(most, Buffer.byteLength(line)), 0);
  if (longest <= LINE_LIMIT || !(await readsWholeLines(await tty()))) return;
  throw new TmpmError("LINE_TOO_LONG", `a line has ${longest} bytes; the program reads whole lines of ${LINE_LIMIT} bytes at most`, {
    hint: "Put the text in a file and send the file's path.",
    details: { bytes: longest, limit: LINE_LIMIT },
  });
}

/** Also false for an unreadable terminal. @throws RESOURCE_EXHAUSTED */
async function readsWholeLines(tty: string): Promise<boolean> {
  const argv = ["stty", process.platform === "linux" ? "-F" : "-f", tty, "-a"] as const;
  const end = await runProgram({ argv, env: process.env, withinMs: 2000 });
  const short = end.kind === "refused" ? shortageOf(end.error) : null;
  if (short !== null) throw short;
  return end.kind === "ended" && /(?:^|[\s;])icanon(?:$|[\s;])/.test(end.stdout);
}
