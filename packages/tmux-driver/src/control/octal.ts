const BACKSLASH = 0x5c;
const ZERO = 0x30;

/** Decodes `%output`, which writes a backslash and control characters as `\ooo`. Malformed escapes are kept. */
export function decodeOctal(escaped: Buffer): Buffer {
  let next = escaped.indexOf(BACKSLASH);
  if (next < 0) return escaped;
  const decoded = Buffer.allocUnsafe(escaped.length);
  let from = 0;
  let to = 0;
  while (next >= 0) {
    to += escaped.copy(decoded, to, from, next);
    const byte = octalAt(escaped, next + 1);
    decoded[to++] = byte ?? BACKSLASH;
    from = next + (byte === null ? 1 : 4);
    next = escaped.indexOf(BACKSLASH, from);
  }
  to += escaped.copy(decoded, to, from);
  return decoded.subarray(0, to);
}

function octalAt(bytes: Buffer, at: number): number | null {
  if (at + 3 > bytes.length) return null;
  let value = 0;
  for (let index = at; index < at + 3; index++) {
    const digit = (bytes[index] ?? 0) - ZERO;
    if (digit < 0 || digit > 7) return null;
    value = value * 8 + digit;
  }
  return value < 256 ? value : null;
}
