import type { AgentAdapter } from "../adapter.js";
import { readClaude } from "./read.js";

const PASTED = /\[Pasted text #\d+[^\]]*\]/gu;
/** More than this many characters at the end of the input prove nothing more. */
const PROOF = 200;

/** The input shows the end of the text, or a placeholder for it that was not there before. */
export const claudeArrived: AgentAdapter["arrived"] = ({ before, now, text }) => {
  const was = readClaude(before).draft ?? "";
  const is = readClaude(now).draft;
  if (is === null || is === was) return null;
  if (placeholders(is) > placeholders(was)) return "the input shows a placeholder for the pasted text";
  const end = squeeze(text).slice(-PROOF);
  return end !== "" && squeeze(is).endsWith(end) ? "the input shows the text" : null;
};

/** The input that held the text is empty again, or gone because Claude went to work, asks something, or ended. */
export const claudeSubmitted: AgentAdapter["submitted"] = ({ typed, now }) => {
  const was = readClaude(typed);
  const is = readClaude(now);
  if (is.state === "exited") return was.state === "exited" ? null : "Claude has ended";
  if (!was.draft) return null;
  if (is.draft === "") return is.state === "working" ? "the input is empty and Claude works" : "the input is empty again";
  return is.state === "awaiting_approval" || is.state === "awaiting_input" ? "Claude asks something" : null;
};

function placeholders(draft: string): number {
  return draft.match(PASTED)?.length ?? 0;
}

function squeeze(text: string): string {
  return text.replace(/\s+/gu, "");
}
