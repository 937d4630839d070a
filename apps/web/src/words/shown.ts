/** Control characters, and those that reverse text direction. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/** A text made safe to display: invisible characters, and those that reorder text, are shown as a mark. */
export function shown(text: string): string {
  return text.replace(HIDDEN, "\ufffd");
}

/** The same in one line. */
export function oneLine(text: string): string {
  return shown(text).replace(/\s+/g, " ").trim();
}
