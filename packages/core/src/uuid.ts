/** A UUID in lower case with hyphens. */
export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A version 4 UUID from 16 random bytes (RFC 9562, 5.4). */
export function uuidFromBytes(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw new TypeError("a UUID is made of 16 bytes");
  const versioned = bytes.map((byte, index) => {
    if (index === 6) return (byte & 0x0f) | 0x40;
    if (index === 8) return (byte & 0x3f) | 0x80;
    return byte;
  });
  return hyphenate(Array.from(versioned, (byte) => byte.toString(16).padStart(2, "0")).join(""));
}

/** Reads every form that serde accepts: upper case, without hyphens, `{…}`, `urn:uuid:…`. Null for any other text. */
export function normalizeUuid(text: string): string | null {
  const lower = text.toLowerCase();
  const bare = lower.startsWith("urn:uuid:") ? lower.slice("urn:uuid:".length) : lower.replace(/^\{(.*)\}$/, "$1");
  if (UUID_PATTERN.test(bare)) return bare;
  return /^[0-9a-f]{32}$/.test(lower) ? hyphenate(lower) : null;
}

function hyphenate(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
