import { TmpmError } from "../errors.js";

/** The largest text that one send carries, in UTF-8 bytes (DESIGN 4). */
export const MAX_TEXT_BYTES = 8 * 1024 * 1024;

const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/**
 * The text as it may be typed into a session: CR LF and CR become LF, all else is unchanged (DESIGN 3.7).
 * @throws INVALID_TEXT for empty text, a C0 or C1 control except TAB, LF and CR, DEL, or a lone surrogate, with `details.position` in
 * UTF-16 units;
 * TEXT_TOO_LARGE
 */
export function parseText(text: string): string {
  if (text === "") {
    throw new TmpmError("INVALID_TEXT", "the text is empty", { hint: "To press Enter alone, use `tmpm keys SESSION Enter`." });
  }
  refuseForbidden(text);
  const normalized = text.replace(/\r\n?/g, "\n");
  const bytes = utf8Length(normalized);
  if (bytes > MAX_TEXT_BYTES) {
    throw new TmpmError("TEXT_TOO_LARGE", `the text has ${bytes} bytes; a session accepts ${MAX_TEXT_BYTES}`, {
      hint: "Put it in a file and send the file's path.",
      details: { bytes, limit: MAX_TEXT_BYTES },
    });
  }
  return normalized;
}

function refuseForbidden(text: string): void {
  const position = text.search(FORBIDDEN);
  if (position < 0) return;
  const codePoint = `U+${text.charCodeAt(position).toString(16).toUpperCase().padStart(4, "0")}`;
  throw new TmpmError("INVALID_TEXT", `the text contains ${codePoint} at position ${position}, which cannot be typed into a terminal`, {
    hint: "Remove it, or press single keys with `tmpm keys`.",
    details: { position, code_point: codePoint },
  });
}

/** Makes control characters, Unicode line separators and bidirectional marks visible as `\x1b` or `\u202e`; for all printed text. */
export function visibleText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu, (char) => {
    const code = char.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}
