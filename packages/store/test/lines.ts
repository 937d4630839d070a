import type { Readable } from "node:stream";

/** The lines of a stream, separated only by line feeds: node:readline also splits at U+2028 and U+2029, which JSON may contain. */
export async function* linesOf(input: Readable): AsyncGenerator<string, void> {
  let rest = "";
  for await (const piece of input.setEncoding("utf8")) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
