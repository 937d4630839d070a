/** A text without white space: rows wrap, and tabs and trailing blanks are drawn in many ways. */
export function squeeze(text: string): string {
  return text.replace(/\s+/gu, "");
}
