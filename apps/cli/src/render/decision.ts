import type { AnsweredAnswer } from "@tmpm/api";
import { type Decision, visibleText } from "@tmpm/core";
import { oneLine } from "./one-line.js";

/** The request in one line: `approve Bash: touch x`. */
export function decisionLine({ kind, tool, subject }: Decision): string {
  const what = oneLine(subject);
  return kind === "question" ? `asks: ${what}` : `approve ${oneLine(tool ?? "a tool")}: ${what}`;
}

/** The whole request with its choices. */
export function decisionText({ kind, tool, subject, choices }: Decision): string {
  const head = kind === "question" ? "It asks:" : `It wants to use ${oneLine(tool ?? "a tool")}:`;
  const rows = visibleText(subject)
    .split("\n")
    .map((row) => `    ${row}`);
  const listed = choices.map(
    ({ label, takes_text }, index) => `  ${index + 1}. ${oneLine(label)}${takes_text ? "  (in your own words)" : ""}`,
  );
  return [head, ...rows, ...listed].join("\n");
}

export function answeredLine({ session, outcome, answer, decision, evidence }: AnsweredAnswer): string {
  const verb = outcome === "answered" ? "answered" : "not confirmed";
  return oneLine(`${session.name}: ${verb}: ${answer} (${decision.subject}); ${evidence.join("; ")}`);
}

export function answeredExit({ outcome }: Pick<AnsweredAnswer, "outcome">): number {
  return outcome === "answered" ? 0 : 7;
}
