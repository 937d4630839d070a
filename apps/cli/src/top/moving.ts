import { keyOf } from "../render/key-of.js";
import { listedSessions, type TopState } from "./state.js";

/** Moves the selection down by a number of sessions, clamped to the list. */
export function moved(state: TopState, by: number): TopState {
  const sessions = listedSessions(state);
  const at = sessions.findIndex((session) => keyOf(session) === state.selected);
  const to = Math.max(0, Math.min(at + by, sessions.length - 1));
  const session = sessions[to];
  return { ...state, selected: session === undefined ? null : keyOf(session) };
}

/** Scrolls the screen up by a number of lines. */
export function scrolledBy(state: TopState, lines: number): TopState {
  const most = Math.max(0, (state.screen?.lines.length ?? 0) - 1);
  return { ...state, scrolled: Math.max(0, Math.min(state.scrolled + lines, most)) };
}
