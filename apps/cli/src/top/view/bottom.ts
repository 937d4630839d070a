import type { Line } from "../../render/paint.js";
import { KEYS } from "../keys.js";
import type { TopState } from "../state.js";

const GAP = "  ";

/** All keys that act on a session, in as many lines as needed. */
export function keyLines(columns: number): readonly Line[] {
  const shown = KEYS.flatMap(({ label, short }) => (short === null ? [] : [{ label, short }]));
  const lines: { readonly line: Line; readonly width: number }[] = [];
  for (const { label, short } of shown) {
    const width = label.length + 1 + short.length;
    const last = lines.at(-1);
    const spans: Line = [
      { text: label, bold: true },
      { text: ` ${short}`, tone: "faint" },
    ];
    if (last === undefined || last.width + GAP.length + width > columns) lines.push({ line: spans, width });
    else lines.splice(-1, 1, { line: [...last.line, { text: GAP }, ...spans], width: last.width + GAP.length + width });
  }
  return lines.map(({ line }) => line);
}

/** Rows at the bottom of the list: a notice, and the keys. */
export function bottomRows({ size }: TopState): number {
  return 1 + keyLines(size.columns).length;
}
