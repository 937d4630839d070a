import type { SessionAnswer } from "@tmpm/api";
import { oneLine } from "./one-line.js";
import { lastWords, standing } from "./standing.js";
import { stateText } from "./state.js";

/** A session in one line: its name, its state, and what the user should do. */
export function renderLine(session: SessionAnswer): string {
  const line = `${session.name}: ${waitsForAnswer(session) ? lastWords(session) : stateText(session)}`;
  if (session.hint === null) return oneLine(line);
  return oneLine(`${line}${/[.?!]$/.test(line) ? "" : ";"} ${session.hint}`);
}

/** The session's own question, during which the agent may be working. */
const waitsForAnswer = (session: SessionAnswer) => Boolean(session.question) && standing(session).name === "question";
