import type { Command } from "./channel.js";
import type { Screen } from "./driver.js";

const CURSOR = "#{cursor_x}\t#{cursor_y}\t#{cursor_flag}\t#{history_size}";

/** What prints cursor, title and screen of a pane. A title holds no line break (tmux takes none), and everything after it is the screen. */
export function screenPart(history: number): (paneId: string) => readonly Command[] {
  return (paneId) => [
    ["display-message", "-p", "-t", paneId, CURSOR],
    ["display-message", "-p", "-t", paneId, "#{pane_title}"],
    ["capture-pane", "-p", "-t", paneId, "-S", history === 0 ? "0" : `-${history}`],
  ];
}

export function readScreen(text: string): Omit<Screen, "pane"> {
  const [facts = "", title = "", ...lines] = text.split("\n").slice(0, -1);
  const [column, row, visible, historySize] = facts.split("\t").map(Number);
  return {
    lines: lines.map((line) => expandTabs(line).trimEnd()),
    cursor: { column: column ?? 0, row: row ?? 0, visible: visible === 1 },
    historySize: historySize ?? 0,
    title,
  };
}

/** From 3.6 a capture keeps tabs. */
function expandTabs(line: string): string {
  if (!line.includes("\t")) return line;
  return line.split("\t").reduce((left, right) => left + " ".repeat(8 - (left.length % 8)) + right);
}
