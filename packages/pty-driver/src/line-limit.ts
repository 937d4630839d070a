import { requireResources, TmpmError } from "@tmpm/core";
import { readsWholeLines } from "@tmpm/processes";

/** A terminal in line mode keeps this many bytes of a line and drops the rest, including the Enter. */
const LINE_LIMIT = process.platform === "linux" ? 4095 : 1023;

/** @throws LINE_TOO_LONG when the terminal's line-mode program would lose the end of a line; RESOURCE_EXHAUSTED */
export async function requireShortLines(text: string, tty: () => Promise<string>): Promise<void> {
  const longest = text.split("\n").reduce((most, line) => Math.max(most, Buffer.byteLength(line)), 0);
  if (longest <= LINE_LIMIT || !(await readsWholeLines(await tty(), requireResources))) return;
  throw new TmpmError("LINE_TOO_LONG", `a line has ${longest} bytes; the program reads whole lines of ${LINE_LIMIT} bytes at most`, {
    hint: "Put the text in a file and send the file's path.",
    details: { bytes: longest, limit: LINE_LIMIT },
  });
}
