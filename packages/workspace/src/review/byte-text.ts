/** Bytes, one in each character, as in git's names and contents. */
export type ByteText = string;

const STRICT = new TextDecoder("utf-8", { fatal: true });

/** The text of UTF-8 bytes; null when they are not UTF-8. */
export function textOf(bytes: ByteText): string | null {
  try {
    return STRICT.decode(Buffer.from(bytes, "latin1"));
  } catch {
    return null;
  }
}

/** Likewise for any bytes, with U+FFFD for those that are not UTF-8. */
export function lossyText(bytes: ByteText): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

export function bytesOf(text: string): ByteText {
  return Buffer.from(text, "utf8").toString("latin1");
}
