import { keyOf } from "../render/key-of.js";
import { wheeledInDiff } from "./in-diff.js";
import { type Area, layout } from "./layout.js";
import type { Pointed } from "./mouse.js";
import { moved, scrolledBy } from "./moving.js";
import { listedSessions, type TopState } from "./state.js";
import { bottomRows } from "./view/bottom.js";

const WHEEL_LINES = 3;

/** A click selects a session; the wheel moves the selection, or scrolls the screen under it. */
export function pointAt(state: TopState, { kind, row, column }: Pointed): TopState {
  if (state.mode.kind !== "list") return kind === "press" ? state : wheeledInDiff(state, kind === "wheel_up" ? -WHEEL_LINES : WHEEL_LINES);
  const { list, screen, first } = layout(state, bottomRows(state));
  if (within(screen, { row, column }))
    return kind === "press" ? state : scrolledBy(state, kind === "wheel_up" ? WHEEL_LINES : -WHEEL_LINES);
  if (!within(list, { row, column })) return state;
  if (kind !== "press") return moved(state, kind === "wheel_up" ? -1 : 1);
  const session = listedSessions(state)[first + row - list.top];
  return session === undefined ? state : { ...state, selected: keyOf(session) };
}

function within({ top, left, columns, rows }: Area, at: Pick<Pointed, "row" | "column">): boolean {
  return at.row >= top && at.row < top + rows && at.column >= left && at.column < left + columns;
}
