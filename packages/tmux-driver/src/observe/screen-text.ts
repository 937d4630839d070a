import type { Screen } from "../driver.js";
import type { RowFormats } from "./pane-row.js";
import { styledRows } from "./styled-rows.js";

/** How many texts make a screen. */
export const SCREEN_TEXTS = 3;

const CURSOR = "#{cursor_x}\t#{cursor_y}\t#{cursor_flag}\t#{history_size}";

/** Cursor and title of a pane; the third text is what is captured next, from the next line on. */
export function screenFormat({ text }: Pick<RowFormats, "text">): string {
  return `${text}${CURSOR}${text}#{pane_title}${text}`;
}

export function readScreen([facts = "", title = "", captured = ""]: readonly string[]): Omit<Screen, "pane"> {
  const [column, row, visible, historySize] = facts.split("\t").map(Number);
  const { lines, styles } = styledRows(captured.slice(captured.indexOf("\n") + 1));
  return {
    lines,
    styles,
    cursor: { column: column ?? 0, row: row ?? 0, visible: visible === 1 },
    historySize: historySize ?? 0,
    title,
  };
}
