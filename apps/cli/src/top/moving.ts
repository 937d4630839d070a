import { listedSessions, type TopState } from "./state.js";

/** Selects the session so many places further down, or the last one that there is. */
export function moved(state: TopState, by: number): TopState {
  const sessions = listedSessions(state);
  const at = sessions.findIndex(({ id }) => id === state.selected);
  const to = Math.max(0, Math.min(at + by, sessions.length - 1));
  return { ...state, selected: sessions[to]?.id ?? null };
}

/** Scrolls the shown screen so many lines up. */
export function scrolledBy(state: TopState, lines: number): TopState {
  const most = Math.max(0, (state.screen?.lines.length ?? 0) - 1);
  return { ...state, scrolled: Math.max(0, Math.min(state.scrolled + lines, most)) };
}
