const LINE_FEED = 0x0a;

/** Cuts a byte stream into lines, without their line feeds. What is not yet a line waits for the next chunk. */
export function lineSplitter(): (chunk: Buffer) => Buffer[] {
  let waiting: Buffer[] = [];
  return (chunk) => {
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const rest = chunk.subarray(from, end);
      lines.push(waiting.length === 0 ? rest : Buffer.concat([...waiting, rest]));
      waiting = [];
      from = end + 1;
    }
    if (from < chunk.length) waiting.push(Buffer.from(chunk.subarray(from)));
    return lines;
  };
}
