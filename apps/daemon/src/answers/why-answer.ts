import type { WhyAnswer } from "@tmpm/api";
import type { Why } from "@tmpm/supervisor";
import { sessionAnswer } from "./answer.js";

export function whyAnswer({ session, evidence, would_change, hooks }: Why): WhyAnswer {
  return { session: sessionAnswer(session), evidence: [...evidence], would_change: [...would_change], hooks };
}
