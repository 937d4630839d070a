import type { Reading } from "../adapter.js";
import type { Decision } from "../decision.js";
import { choicesOf, optionList } from "../option-list.js";
import { ATTACH, reading } from "../reading.js";
import { isBlank } from "../rows.js";
import type { Dialog } from "./layout.js";

/** What a dialog asks about may hold any words: only its first row says what it is. */
export function readDialog({ rows }: Dialog): Reading {
  const filled = rows.filter((row) => !isBlank(row));
  const heading = filled[0]?.trim() ?? "";
  if (heading === "△ Permission required") {
    return reading("awaiting_approval", {
      confidence: 0.95,
      evidence: ["the question for a permission"],
      hint: `${ATTACH} allow or refuse it.`,
      decision: decisionOf(filled),
    });
  }
  if (heading.startsWith("△")) {
    const evidence = [`a question about a permission: ${heading}`];
    return reading("awaiting_approval", { confidence: 0.7, evidence, hint: `${ATTACH} answer it.` });
  }
  if (/\benter (?:submit|confirm|toggle)\b.*\besc dismiss$/u.test(filled.at(-1)?.trim() ?? "")) return question(filled);
  return reading("unknown", { confidence: 0.3, evidence: [`a block that is not known took the input's place: ${heading}`] });
}

function question(filled: readonly string[]): Reading {
  const list = optionList(filled, { marker: null, wraps: false });
  const evidence = ["a question with answers to choose from"];
  const hint = `${ATTACH} answer it.`;
  if (list === null) return reading("awaiting_input", { confidence: 0.8, evidence, hint });
  const subject = filled
    .slice(0, list.first)
    .map((row) => row.trim())
    .join("\n");
  const choices = choicesOf(list).map((choice) => ({ ...choice, takesText: /^Type your own answer/u.test(choice.label) }));
  return reading("awaiting_input", { confidence: 0.9, evidence, hint, decision: { kind: "question", tool: null, subject, choices } });
}

/** The answers stand in one row; which one is chosen shows by its colour alone, and a new question has the first one chosen. */
function decisionOf(filled: readonly string[]): Decision | null {
  const answers = filled.findLastIndex((row) => /^\s+Allow once\s/u.test(row));
  if (answers < 0) return null;
  const kind = filled.findIndex((row) => /^\s+[#←→⚙✱◇]\s/u.test(row));
  const tool = kind < 0 ? null : (filled[kind] ?? "").trim().replace(/^\S\s/u, "");
  const subject = filled.slice(Math.max(1, kind + 1), answers).map((row) => row.slice(2));
  return {
    kind: "approval",
    tool,
    subject: subject.length === 0 ? (tool ?? "") : subject.join("\n").replace(/^\$\s/u, "").trimEnd(),
    choices: [
      { label: "Allow once", keys: ["Enter"], takesText: false },
      // Leads to a second question.
      { label: "Allow always", keys: null, takesText: false },
      { label: "Reject", keys: ["Escape"], takesText: false },
    ],
  };
}
