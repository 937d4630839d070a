import type { Readable } from "node:stream";

/** The lines of a stream, which end at a line feed alone: node:readline ends one at U+2028 and U+2029 too, which JSON may hold as they are. */
export async function* linesOf(input: Readable): AsyncGenerator<string, void> {
  let rest = "";
  for await (const piece of input.setEncoding("utf8")) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
