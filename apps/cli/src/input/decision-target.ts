import type { SessionAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { type Decision, TmpmError } from "@tmpm/core";

export interface Target {
  readonly session: SessionAnswer;
  readonly decision: Decision;
}

export interface TargetOptions {
  /** Without it, the one session that awaits approval. */
  readonly session: string | undefined;
  /** The decision's id or a prefix, as shown by `tmpm next`; without it, the current request. */
  readonly id: string | undefined;
}

/** The current decision, to which the answer is bound. @throws DECISION_GONE, SESSION_BLOCKED, SESSION_AMBIGUOUS, SESSION_NOT_FOUND */
export async function decisionTarget(client: Client, { session, id }: TargetOptions): Promise<Target> {
  const found = session === undefined ? await onlyApproval(client) : await client.show({ session });
  const { decision } = found;
  if (decision === null) throw nothingAsked(found);
  // Only the daemon knows whether it is still open.
  return { session: found, decision: id === undefined ? decision : { ...decision, id } };
}

async function onlyApproval(client: Client): Promise<SessionAnswer> {
  const { sessions } = await client.list({});
  const waiting = sessions.filter(({ decision }) => decision?.kind === "approval");
  const [first, second] = waiting;
  if (first === undefined) throw new TmpmError("DECISION_GONE", "no session awaits approval", { hint: "`tmpm next` shows open requests." });
  if (second === undefined) return first;
  throw new TmpmError("SESSION_AMBIGUOUS", `${waiting.length} sessions await approval: ${waiting.map(({ name }) => name).join(", ")}`, {
    hint: "Name one of them.",
    details: { candidates: waiting.map(({ name, id }) => ({ name, id })) },
  });
}

function nothingAsked({ id, name, activity, hint }: SessionAnswer): TmpmError {
  const blocked = activity.state === "blocked";
  const seen = activity.evidence.join("; ");
  if (activity.state === "awaiting_approval" || activity.state === "awaiting_input") {
    return new TmpmError("SESSION_BLOCKED", `the screen of session ${name} does not show its whole request: ${seen}`, {
      hint: hint ?? `Answer it with \`tmpm attach ${name}\`.`,
      details: { id, state: activity.state },
    });
  }
  return new TmpmError(
    blocked ? "SESSION_BLOCKED" : "DECISION_GONE",
    blocked
      ? `session ${name} shows a dialog that tmpm cannot answer: ${seen}`
      : `session ${name} does not ask anything; it is ${activity.state}`,
    { hint: hint ?? "`tmpm next` shows open requests.", details: { id, state: activity.state } },
  );
}
