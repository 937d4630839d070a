import type { NextAnswer, SessionAnswer } from "@tmpm/api";
import { type ActivityState, msFromTimestamp } from "@tmpm/core";
import type { Asked, NodePart } from "./each-node.js";

export interface FleetNext extends NextAnswer {
  /** The node of the session; null for this machine's, and without a session. */
  readonly node: string | null;
  readonly complete: boolean;
  readonly nodes: readonly NodePart[];
}

/** The daemon's ranking of its own sessions (`next` of the supervisor). */
const URGENCY: readonly ActivityState[] = ["awaiting_approval", "awaiting_input", "blocked", "errored"];

/** The most urgent of each machine's most urgent sessions; of equal ones the longest waiting. */
export function mostUrgent({ answers, nodes }: Asked<NextAnswer>): FleetNext {
  const waiting = answers.flatMap(({ node, answer: { session } }) => (session === null ? [] : [{ node, session }]));
  const [first] = waiting.toSorted(
    (one, other) => urgency(one.session) - urgency(other.session) || since(one.session) - since(other.session),
  );
  return {
    session: first?.session ?? null,
    node: first?.node ?? null,
    complete: nodes.every(({ complete }) => complete),
    nodes,
  };
}

function urgency({ activity, question }: SessionAnswer): number {
  const shown = URGENCY.indexOf(activity.state);
  const asked = question ? URGENCY.indexOf("awaiting_input") : -1;
  return Math.min(...[shown, asked].map((index) => (index < 0 ? URGENCY.length : index)));
}

function since({ activity, question }: SessionAnswer): number {
  return msFromTimestamp(question && !URGENCY.includes(activity.state) ? question.asked_at : activity.since);
}
