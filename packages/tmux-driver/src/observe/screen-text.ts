import type { Screen } from "../driver.js";
import type { RowFormats } from "./pane-row.js";
import { styledRows } from "./styled-rows.js";

export const SCREEN_TEXTS = 3;

/** A screen's text besides its rows and its pane. */
export type ScreenFacts = Pick<Screen, "cursor" | "historySize" | "title">;

const CURSOR = "#{cursor_x}\t#{cursor_y}\t#{cursor_flag}\t#{history_size}";

/** Cursor and title of a pane; the third text is the capture that follows, from the next line on. */
export function screenFormat({ text }: Pick<RowFormats, "text">): string {
  return `${text}${CURSOR}${text}#{pane_title}${text}`;
}

export function readScreen([facts = "", title = "", captured = ""]: readonly string[]): Omit<Screen, "pane"> {
  return { ...styledRows(captured.split("\n").slice(1)), ...factsOf(facts, title) };
}

/** Two texts for each pane: its id, cursor and history, and its title. */
export function screenFactsFormat({ text }: Pick<RowFormats, "text">): string {
  return `${text}#{pane_id}\t${CURSOR}${text}#{pane_title}`;
}

/** By pane id; a pane shown by several sessions is reported several times. */
export function readFacts(texts: readonly string[]): ReadonlyMap<string, ScreenFacts> {
  const facts = new Map<string, ScreenFacts>();
  for (let index = 0; index + 1 < texts.length; index += 2) {
    const [text = "", title = ""] = texts.slice(index, index + 2);
    const tab = text.indexOf("\t");
    facts.set(text.slice(0, tab), factsOf(text.slice(tab + 1), title));
  }
  return facts;
}

function factsOf(text: string, title: string): ScreenFacts {
  const [column, row, visible, historySize] = text.split("\t").map(Number);
  return {
    cursor: { column: column ?? 0, row: row ?? 0, visible: visible === 1 },
    historySize: historySize ?? 0,
    title,
  };
}
