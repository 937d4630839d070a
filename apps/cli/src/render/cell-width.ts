const ASCII = /^[\x20-\x7e]*$/;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]|\ufe0f|\p{Emoji_Presentation}/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]*$/u;

/** Whether a text has only printable characters of ASCII, one cell each. */
export function isPlain(text: string): boolean {
  return ASCII.test(text);
}

/** Width of a printable line in terminal cells. */
export function cellWidth(text: string): number {
  return ASCII.test(text) ? text.length : graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

/** Truncates a text to a width in cells; a cut text ends with the mark. */
export function cutTo(text: string, { cells, mark }: { readonly cells: number; readonly mark: string }): string {
  if (cellWidth(text) <= cells) return text;
  let [taken, used] = ["", 0];
  for (const grapheme of graphemes(text)) {
    used += graphemeWidth(grapheme);
    if (used > cells - mark.length) break;
    taken += grapheme;
  }
  return cells < mark.length ? "" : taken + mark;
}

/** The end of a text within a width in cells; the mark replaces the omitted beginning. */
export function cutFrom(text: string, { cells, mark }: { readonly cells: number; readonly mark: string }): string {
  if (cellWidth(text) <= cells) return text;
  let [taken, used] = ["", 0];
  for (const grapheme of graphemes(text).toReversed()) {
    used += graphemeWidth(grapheme);
    if (used > cells - mark.length) break;
    taken = grapheme + taken;
  }
  return cells < mark.length ? "" : mark + taken;
}

export function graphemes(text: string): readonly string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

function graphemeWidth(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}
