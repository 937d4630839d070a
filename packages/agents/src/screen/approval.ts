import type { Reading } from "../adapter.js";
import type { KeyPlan } from "./decision.js";

const YES = /^(?:Yes|Allow|Approve)\b/u;
/** A choice that also allows later actions, or gives up the conversation: Claude Code offers those first for a plan. */
const LASTING = /\b(?:always|all|session|again|switch|auto|accept edits|clear context|bypass)\b/iu;

/** The keys of the first choice that allows only this action. */
export function allowOnce({ decision }: Reading): KeyPlan | null {
  if (decision?.kind !== "approval") return null;
  return decision.choices.find(({ label }) => YES.test(label) && !LASTING.test(label))?.keys ?? null;
}

/** Escape denies in every agent that asks for approval. */
export function refuseByEscape({ decision }: Reading): KeyPlan | null {
  return decision?.kind === "approval" ? ["Escape"] : null;
}
