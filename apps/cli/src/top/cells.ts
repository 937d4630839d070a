import { visibleText } from "@tmpm/core";
import { visibleWidth } from "./terminal-ui.js";

const ASCII = /^[\x20-\x7e]*$/;
const graphemes = new Intl.Segmenter();

export interface Cells {
  /** One printable line: without control characters, and without characters that a non-Unicode terminal cannot show. */
  clean(text: string): string;
  /** Exactly `width` cells: truncated with a mark at its end, or padded with spaces. */
  fit(text: string, width: number): string;
  /** At most `width` cells, without a mark. */
  cut(text: string, width: number): string;
  width(text: string): number;
}

/** Fits texts into terminal cells. */
export function cells({ unicode }: { readonly unicode: boolean }): Cells {
  const mark = unicode ? "…" : "~";
  function cut(text: string, width: number): string {
    if (width <= 0) return "";
    if (ASCII.test(text)) return text.slice(0, width);
    let [taken, used] = ["", 0];
    for (const { segment } of graphemes.segment(text)) {
      used += visibleWidth(segment);
      if (used > width) break;
      taken += segment;
    }
    return taken;
  }
  return {
    clean(text) {
      const line = visibleText(text)
        .replace(/[\n\t]/g, " ")
        // Terminals disagree about the width of joiners without effect.
        .replace(/(?!\u200d)\p{Cf}/gu, "");
      return unicode ? line : line.replace(/[^\x20-\x7e]/gu, "?");
    },
    fit(text, width) {
      if (width <= 0) return "";
      const whole = cut(text, width);
      const line = whole.length === text.length ? whole : cut(text, width - 1) + mark;
      return line + " ".repeat(Math.max(0, width - visibleWidth(line)));
    },
    cut,
    width: visibleWidth,
  };
}
