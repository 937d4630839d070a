/** A text without white space: rows wrap, and tabs and trailing blanks are drawn differently. */
export function squeeze(text: string): string {
  return text.replace(/\s+/gu, "");
}
