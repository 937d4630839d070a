/** The bytes of a file: as a whole, or as a stream. */
export type UploadBytes = Uint8Array | Blob | AsyncIterable<Uint8Array>;

/** A body that is not JSON. */
export interface RequestBytes {
  readonly value: UploadBytes;
  /** Size in bytes; null while unknown. */
  readonly size: number | null;
}

export function requestBytes(value: UploadBytes, size?: number): RequestBytes {
  if (value instanceof Uint8Array) return { value, size: value.byteLength };
  if (value instanceof Blob) return { value, size: value.size };
  return { value, size: size ?? null };
}

/** The same bytes, piece by piece. */
export async function* piecesOf(value: UploadBytes): AsyncGenerator<Uint8Array> {
  if (value instanceof Uint8Array) yield value;
  else if (value instanceof Blob) yield new Uint8Array(await value.arrayBuffer());
  else yield* value;
}
