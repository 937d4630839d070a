import type { SessionAnswer } from "@tmpm/api";
import { oneLine } from "./one-line.js";
import { stateText } from "./state.js";

/** A session in one line: its name, its state, and what a person should do about it. */
export function renderLine(session: SessionAnswer): string {
  const line = `${session.name}: ${stateText(session)}`;
  return oneLine(session.hint === null ? line : `${line}; ${session.hint}`);
}
