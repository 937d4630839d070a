import type { Observation } from "../adapter.js";
import { cutsAtColumn } from "./display-column.js";
import { squeeze } from "./rows.js";

/** Number of characters at the cursor that is sufficient proof. */
const PROOF = 200;

interface Arrival {
  readonly before: Observation;
  readonly now: Observation;
  readonly text: string;
}

interface Submission {
  readonly typed: Observation;
  readonly now: Observation;
  readonly text: string;
}

/** Evidence that an echoing terminal shows the end of the text directly before its cursor; null when it does not. */
export function echoArrived({ before, now, text }: Arrival): string | null {
  if (now.dead) return null;
  const moved = !samePlace(before, now);
  if (text.trim() === "") return moved ? "the cursor moved" : null;
  if (endsAtCursor(now, text) && (moved || !endsAtCursor(before, text))) return "the end of the text is at the cursor";
  return moved && followsPlace(now, { place: before, text }) ? "the text follows the former cursor position" : null;
}

/** Evidence that an echoing program took the line: another program runs, the line was left, or the text is no longer at the cursor. */
export function echoSubmitted({ typed, now, text }: Submission): string | null {
  if (now.dead) return typed.dead ? null : "the program has ended";
  if (now.foreground === false && typed.foreground !== false) return `${now.command} runs in the foreground`;
  // Another width rewraps the rows: neither the rows nor the place of the text can be compared.
  if (typed.columns !== now.columns) return null;
  if (absoluteRow(typed) !== absoluteRow(now)) return "the cursor moved to another row";
  if (text.trim() !== "" && endsAtCursor(typed, text) && !endsAtCursor(now, text)) return "the text is no longer at the cursor";
  return null;
}

/** Compared without white space: rows wrap, and tabs and trailing blanks are drawn differently. */
function endsAtCursor(screen: Observation, text: string): boolean {
  const end = proof(screen, text);
  const above = squeeze(screen.lines.slice(0, screen.cursor.row).join(""));
  const row = screen.lines[screen.cursor.row] ?? "";
  return cutsAtColumn(row, screen.cursor.column).some((shown) => (above + squeeze(shown)).endsWith(end));
}

/** A line-mode program runs the first lines while the terminal still echoes the last, and its output and prompt then follow the echo. */
function followsPlace(screen: Observation, { place, text }: { readonly place: Observation; readonly text: string }): boolean {
  const row = absoluteRow(place) - screen.historySize;
  if (row < 0 || place.columns !== screen.columns) return false;
  const line = screen.lines[row] ?? "";
  const below = squeeze(screen.lines.slice(row + 1).join(""));
  return cutsAtColumn(line, place.cursor.column).some((cut) => (squeeze(line.slice(cut.length)) + below).startsWith(squeeze(text)));
}

/** The end of the last line that is not blank, at most as long as must be visible even with double-width characters. */
function proof({ columns, cursor }: Observation, text: string): string {
  const room = Math.max(1, Math.floor((columns * (cursor.row + 1)) / 2));
  const characters = [...squeeze(lastLine(text))];
  return characters.slice(-Math.min(PROOF, room)).join("");
}

function lastLine(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.slice(trimmed.lastIndexOf("\n") + 1);
}

function absoluteRow(screen: Observation): number {
  return screen.historySize + screen.cursor.row;
}

function samePlace(a: Observation, b: Observation): boolean {
  return absoluteRow(a) === absoluteRow(b) && a.cursor.column === b.cursor.column;
}
