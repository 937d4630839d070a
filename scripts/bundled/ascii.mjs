/**
 * A part of tsup's pipeline that writes what esbuild leaves beyond ASCII, which is what stands in regular expressions, as escapes. V8 keeps a source text of ASCII
 * in one byte a character instead of two, and decodes it several times as fast.
 */
export const asciiOnly = {
  name: "ascii-only",
  renderChunk: (code) => ({ code: escaped(code) }),
};

/** UTF-16 units: a pair of escapes is one code point in a regular expression with the flag `u`, as the character was. */
export function escaped(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
