import { TmpmError } from "@tmpm/core/errors";

/** Eight bytes, big-endian: the length of the JSON, and the length of the bytes after it. */
const HEADER = 8;
/** Maximum of both lengths. */
const MOST = 64 * 1024 * 1024;

export interface Frame {
  readonly body: unknown;
  readonly bytes: Uint8Array;
}

/** @throws INVALID_ARGUMENT (none) for more than a reader accepts */
export function encodeFrame({ body, bytes }: { readonly body: unknown; readonly bytes?: Uint8Array | undefined }): Buffer {
  const json = Buffer.from(JSON.stringify(body));
  const more = bytes ?? new Uint8Array();
  if (json.length > MOST || more.length > MOST) {
    const message = `a message of ${json.length} and ${more.length} bytes is too large; ${MOST} is the limit of each part`;
    throw new TmpmError("INVALID_ARGUMENT", message);
  }
  const frame = Buffer.allocUnsafe(HEADER + json.length + more.length);
  frame.writeUInt32BE(json.length, 0);
  frame.writeUInt32BE(more.length, 4);
  frame.set(json, HEADER);
  frame.set(more, HEADER + json.length);
  return frame;
}

/** Accepts bytes in pieces and reports each complete frame. @throws RangeError, SyntaxError for anything that is not a frame */
export function frameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let size = 0;
  let wanted = HEADER;

  return (chunk) => {
    pieces.push(chunk);
    size += chunk.length;
    if (size < wanted) return;
    let rest: Buffer = pieces.length === 1 ? chunk : Buffer.concat(pieces);
    for (;;) {
      const lengths = lengthsOf(rest);
      wanted = HEADER + lengths.json + lengths.bytes;
      if (rest.length < Math.max(wanted, HEADER)) break;
      const from = HEADER + lengths.json;
      onFrame({ body: JSON.parse(rest.toString("utf8", HEADER, from)), bytes: rest.subarray(from, wanted) });
      rest = rest.subarray(wanted);
    }
    pieces = rest.length === 0 ? [] : [rest];
    size = rest.length;
  };
}

function lengthsOf(bytes: Buffer): { readonly json: number; readonly bytes: number } {
  if (bytes.length < HEADER) return { json: 0, bytes: 0 };
  const [json, more] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
  if (json > MOST || more > MOST) throw new RangeError(`a frame of ${json} and ${more} bytes`);
  return { json, bytes: more };
}
