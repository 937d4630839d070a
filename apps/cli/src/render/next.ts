import type { NextAnswer } from "@tmpm/api";
import type { View } from "../context.js";
import { age } from "./age.js";
import { decisionText } from "./decision.js";
import { questionText } from "./message.js";
import { oneLine } from "./one-line.js";
import { limitText } from "./standing.js";
import { stateText } from "./state.js";

const ID_LENGTH = 8;

/** The session, its request, and how to answer it; empty if none needs the user. */
export function renderNext({ session }: NextAnswer, { now }: View): string {
  if (session === null) return "";
  const { decision, question, activity, hint } = session;
  const head = oneLine(`${session.name}: ${stateText(session)} for ${age(activity.since, now)}`);
  if (decision === null && question && !isShown(session))
    return [
      oneLine(`${session.name}: has been asking for ${age(question.asked_at, now)}`),
      questionText(question),
      `question ${question.id.slice(0, ID_LENGTH)}. ${oneLine(hint ?? "")}`.trimEnd(),
    ].join("\n");
  if (decision === null)
    return [
      head,
      ...(activity.limit === null ? [] : [`  ${oneLine(limitText(activity.limit))}`]),
      ...activity.evidence.map((line) => `  ${oneLine(line)}`),
      ...(hint === null ? [] : [oneLine(hint)]),
    ].join("\n");
  return [head, decisionText(decision), `decision ${decision.id.slice(0, ID_LENGTH)}. ${oneLine(hint ?? "")}`.trimEnd()].join("\n");
}

/** Requests on the screen come before the session's own questions. */
function isShown({ activity }: NonNullable<NextAnswer["session"]>): boolean {
  return ["awaiting_approval", "awaiting_input", "blocked", "errored"].includes(activity.state);
}
