import type { Reading } from "../adapter.js";
import type { CutDecision, Decision } from "../screen/decision.js";
import { choicesOf, optionList } from "../screen/option-list.js";
import { ATTACH, reading } from "../screen/reading.js";
import { isBlank } from "../screen/rows.js";
import type { Dialog } from "./layout.js";

/** The subject of a dialog may be any text: only its first row identifies it. */
export function readDialog({ rows, whole }: Dialog): Reading {
  const filled = rows.filter((row) => !isBlank(row));
  const heading = filled[0]?.trim() ?? "";
  if (heading === "△ Permission required") {
    return reading("awaiting_approval", {
      confidence: 0.95,
      evidence: ["the question for a permission"],
      hint: `${ATTACH} allow or refuse it.`,
      ...askedIn(filled, { whole }),
    });
  }
  if (heading.startsWith("△")) {
    const evidence = [`a question about a permission: ${heading}`];
    return reading("awaiting_approval", { confidence: 0.7, evidence, hint: `${ATTACH} answer it.` });
  }
  if (/\benter (?:submit|confirm|toggle)\b.*\besc dismiss$/u.test(filled.at(-1)?.trim() ?? "")) return question(filled);
  return reading("unknown", { confidence: 0.3, evidence: [`an unknown block replaced the input: ${heading}`] });
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
  return reading("awaiting_input", {
    confidence: 0.9,
    evidence,
    hint,
    decision: { kind: "question", tool: null, subject, choices, markHidden: true },
  });
}

/** The answers are in one row; only its colour shows the chosen one, and a new question has the first one chosen. */
function askedIn(
  filled: readonly string[],
  { whole }: Pick<Dialog, "whole">,
): { readonly decision?: Decision; readonly cut?: CutDecision } {
  const answers = filled.findLastIndex((row) => /^\s+Allow once\s/u.test(row));
  const asked = askedFor(filled.slice(1, answers));
  if (answers < 0 || asked.subject === "") return {};
  const decision: Decision = {
    kind: "approval",
    tool: asked.tool,
    subject: asked.subject,
    markHidden: true,
    choices: [
      { label: "Allow once", keys: ["Enter"], takesText: false },
      // Leads to a second question.
      { label: "Allow always", keys: null, takesText: false },
      { label: "Reject", keys: ["Escape"], takesText: false },
    ],
  };
  return whole || asked.named ? { decision } : { cut: { pieces: [asked.subject], decision } };
}

/** A shell command is below its heading; for a file, its name is in the heading. */
function askedFor(rows: readonly string[]): Pick<Decision, "tool" | "subject"> & { readonly named: boolean } {
  const heading = /^\s+([^\s\w"'])\s(.*)$/u.exec(rows[0] ?? "");
  const [, sign, named = ""] = heading ?? [];
  const below = rows.slice(heading === null ? 0 : 1).map((row) => row.slice(2));
  const [verb = "", ...rest] = named.split(" ");
  if (sign !== "#" && rest.length > 0) return { tool: verb, subject: rest.join(" "), named: true };
  const subject = below.join("\n").replace(/^\$\s/u, "").trimEnd();
  // A command is drawn after its heading.
  return { tool: named === "" ? null : named, subject: named === "Shell command" ? subject : subject || named, named: false };
}
