import type { SessionAnswer } from "@tmpm/api";
import { standing } from "@tmpm/api/standing";
import { decisionLine } from "./decision.js";
import { oneLine } from "./one-line.js";

export {
  byNeed,
  SIGN_LEGEND,
  type Standing,
  type StandingName,
  sortedByNeed,
  standing,
  standingText,
  waitsSince,
  wasText,
} from "@tmpm/api/standing";

/** When a usage limit resets, in the reader's local time, with the agent's own wording. */
export function limitText({ message, resets_at }: NonNullable<SessionAnswer["activity"]["limit"]>): string {
  if (resets_at === null) return `usage limit: ${message}`;
  const at = new Date(resets_at);
  const two = (count: number) => String(count).padStart(2, "0");
  return `usage limit until ${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}: ${message}`;
}

/** The reason why it needs the user, or its last message or task, in one line; empty without any. */
export function lastWords(session: SessionAnswer): string {
  const { decision, activity, hint, last_error, last_lines, task, thought } = session;
  if (decision !== null) return decisionLine(decision);
  const { name, needsYou } = standing(session);
  if (name === "question" && session.question) return `asks: ${oneLine(session.question.question)}`;
  if (activity.limit !== null) return limitText(activity.limit);
  if (needsYou) return activity.evidence[0] ?? hint ?? "";
  if (name === "failed" && last_error !== null) return last_error.message;
  return thought.thought ?? (task || (last_lines.findLast((line) => line.trim() !== "") ?? "").trim());
}
