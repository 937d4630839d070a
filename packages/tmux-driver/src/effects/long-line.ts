import { TmpmError } from "@tmpm/core";

/** A terminal in line mode keeps this many bytes of a line and drops the rest, including the Enter. */
export const LINE_LIMIT = process.platform === "linux" ? 4095 : 1023;

/** In UTF-8 bytes, without the line end. */
export function longestLine(text: string): number {
  return text.split("\n").reduce((longest, line) => Math.max(longest, Buffer.byteLength(line)), 0);
}

export function lineTooLong(bytes: number): TmpmError {
  return new TmpmError("LINE_TOO_LONG", `a line has ${bytes} bytes; the program reads whole lines of ${LINE_LIMIT} bytes at most`, {
    hint: "Put the text in a file and send the file's path.",
    details: { bytes, limit: LINE_LIMIT },
  });
}
