/** One message of an event stream. A comment, or an `id` alone, has no data. */
export interface EventMessage {
  readonly id: string | null;
  readonly kind: string;
  readonly data: string | null;
}

/**
 * Server-sent events from text chunks that may split anywhere. Every block of lines is a message, even a comment alone, because it proves that the
 * stream is alive.
 */
export function eventMessages(take: (message: EventMessage) => void): (piece: string) => void {
  let rest = "";
  return (piece) => {
    const text = rest + piece.replaceAll("\r\n", "\n");
    const blocks = text.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) take(read(block));
  };
}

function read(block: string): EventMessage {
  let [id, kind]: [string | null, string] = [null, "message"];
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    const field = line.slice(0, colon);
    if (field === "id") id = value;
    else if (field === "event") kind = value;
    else if (field === "data") data.push(value);
  }
  return { id, kind, data: data.length === 0 ? null : data.join("\n") };
}
