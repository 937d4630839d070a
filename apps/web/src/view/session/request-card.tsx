import type { OpenRequest } from "../../state/sessions.js";
import { DecisionCard } from "./decision-card.js";
import { QuestionCard } from "./question-card.js";

export interface RequestCardProps {
  readonly request: OpenRequest;
  /** With a link to its session. */
  readonly opens?: boolean;
}

/** What a session asks, and its answers. */
export function RequestCard({ request, opens = false }: RequestCardProps) {
  if (request.kind === "decision") return <DecisionCard session={request.session} opens={opens} />;
  return <QuestionCard session={request.session} opens={opens} />;
}

/** The same for the same request. */
export function keyOf(request: OpenRequest): string {
  return request.kind === "decision" ? request.session.decision.id : request.session.question.id;
}
