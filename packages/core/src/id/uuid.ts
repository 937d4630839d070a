/** A UUID in lower case with hyphens. */
export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

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
