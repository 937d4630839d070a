import { type PaneIdentity, TmpmError } from "@tmpm/core";
import { execa } from "execa";
import { findRow } from "./find.js";
import type { ServerContext } from "./server-context.js";

/** A terminal in whole-line mode keeps this many bytes of a line and drops the rest, the Enter included. */
const KERNEL_LIMIT = process.platform === "linux" ? 4095 : 1023;
/** Shorter lines fit everywhere; only longer ones are worth a look at the terminal. */
const WORTH_A_LOOK = 1000;

/** @throws LINE_TOO_LONG when the pane's program reads whole lines and would lose the end of one */
export async function requireShortLines(
  context: ServerContext,
  { identity, text }: { readonly identity: PaneIdentity; readonly text: string },
): Promise<void> {
  const longest = longestLine(text);
  if (longest <= WORTH_A_LOOK || longest <= KERNEL_LIMIT) return;
  const answer = await findRow(context, identity);
  if (answer.kind !== "present" || answer.value.row.dead || !(await readsWholeLines(answer.value.row.tty))) return;
  throw new TmpmError("LINE_TOO_LONG", `a line has ${longest} bytes; the program reads whole lines of ${KERNEL_LIMIT} bytes at most`, {
    hint: "Put the text in a file and send the file's path.",
    details: { bytes: longest, limit: KERNEL_LIMIT },
  });
}

export function longestLine(text: string): number {
  return text.split("\n").reduce((longest, line) => Math.max(longest, Buffer.byteLength(line)), 0);
}

/** False also when the terminal does not let itself be read. */
async function readsWholeLines(tty: string): Promise<boolean> {
  const { stdout } = await execa("stty", [process.platform === "linux" ? "-F" : "-f", tty, "-a"], {
    stdin: "ignore",
    reject: false,
    timeout: 2000,
    killSignal: "SIGKILL",
  });
  return /(?:^|[\s;])icanon(?:$|[\s;])/.test(stdout);
}
