import type { SessionAnswer } from "@tmpm/api";
import { standing } from "./standing.js";

/** The command that handles a session's need. */
export function whatToType(session: SessionAnswer): string {
  const { name, decision } = session;
  if (decision?.kind === "approval") return `tmpm approve ${name}`;
  if (decision?.kind === "question") return `tmpm answer ${name} --choice NUMBER`;
  const { question } = session;
  if (question && standing(session).name === "question")
    return `tmpm answer ${name} ${question.choices.length === 0 ? "TEXT" : "--choice NUMBER"}`;
  return standing(session).name === "error" ? `tmpm why ${name}` : `tmpm attach ${name}`;
}
