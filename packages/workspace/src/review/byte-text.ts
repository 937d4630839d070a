/** Bytes, one in each character, as git is asked for names and contents. */
export type ByteText = string;

const STRICT = new TextDecoder("utf-8", { fatal: true });

/** The text that UTF-8 bytes stand for; null when they are not UTF-8. */
export function textOf(bytes: ByteText): string | null {
  try {
    return STRICT.decode(Buffer.from(bytes, "latin1"));
  } catch {
    return null;
  }
}

/** The same for every sequence of bytes: what is not UTF-8 is U+FFFD. */
export function lossyText(bytes: ByteText): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

export function bytesOf(text: string): ByteText {
  return Buffer.from(text, "utf8").toString("latin1");
}
