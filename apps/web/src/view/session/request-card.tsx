import type { OpenRequest } from "../../state/sessions.js";
import { DecisionCard } from "./decision-card.js";
import { QuestionCard } from "./question-card.js";
import { Steady } from "./steady.js";

export interface RequestCardProps {
  readonly request: OpenRequest;
  /** With a link to its session. */
  readonly opens?: boolean;
}

/** What a session asks, and its answers. */
export function RequestCard({ request, opens = false }: RequestCardProps) {
  return (
    <Steady>
      {request.kind === "decision" ? (
        <DecisionCard session={request.session} opens={opens} />
      ) : (
        <QuestionCard session={request.session} opens={opens} />
      )}
    </Steady>
  );
}

/** The same for the same request. */
export function keyOf(request: OpenRequest): string {
  return request.kind === "decision" ? request.session.decision.id : request.session.question.id;
}
