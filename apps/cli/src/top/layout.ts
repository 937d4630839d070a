import { keyOf } from "../render/key-of.js";
import { listedSessions, type TopState } from "./state.js";

/** A part of the terminal; rows and columns count from 0. */
export interface Area {
  readonly top: number;
  readonly left: number;
  readonly columns: number;
  readonly rows: number;
}

export interface Layout {
  readonly list: Area;
  /** The selected session's screen, including its title; next to the list, or below it in a narrow terminal. */
  readonly screen: Area;
  readonly beside: boolean;
  /** Index of the first visible session of the list. */
  readonly first: number;
}

/** Minimum width for showing the screen next to the list. */
const BESIDE = 100;
const HEAD = 1;

/** The layout, given the number of rows used at the bottom. */
export function layout(state: TopState, bottom: number): Layout {
  const { columns, rows } = state.size;
  const body = Math.max(2, rows - HEAD - bottom);
  const beside = columns >= BESIDE;
  const wide = Math.min(100, Math.floor(columns / 2));
  const high = Math.max(1, Math.min(listedSessions(state).length, Math.floor(body * 0.45)), Math.min(4, body - 2));
  const list = { top: HEAD, left: 0, columns: beside ? wide : columns, rows: beside ? body : high };
  const screen = beside
    ? { top: HEAD, left: wide + 2, columns: columns - wide - 2, rows: body }
    : { top: HEAD + high, left: 0, columns, rows: body - high };
  return { list, screen, beside, first: firstListed(state, list.rows) };
}

/** The most urgent session stays visible as long as the selected one, and one more below it, also fit. */
function firstListed(state: TopState, rows: number): number {
  const sessions = listedSessions(state);
  const at = sessions.findIndex((session) => keyOf(session) === state.selected);
  return Math.max(0, Math.min(at - rows + 2, sessions.length - rows));
}
