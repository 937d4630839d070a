import type { Reading } from "../adapter.js";
import type { CutDecision, Decision, KeyPlan } from "../screen/decision.js";
import { choicesOf } from "../screen/option-list.js";
import { ATTACH, reading } from "../screen/reading.js";
import type { Dialog } from "./layout.js";

/** Dialogs that only the user may answer, by their heading. */
const SET_UP: readonly { readonly heading: RegExp; readonly evidence: string; readonly hint: string }[] = [
  {
    heading: /^(?:Folder access|Do you trust|Trust this folder)/u,
    evidence: "the folder trust dialog",
    hint: `${ATTACH} answer whether you trust this folder.`,
  },
  {
    heading: /^Welcome to Codex|^Sign in/u,
    evidence: "the login",
    hint: `${ATTACH} log in, or run \`codex login\` once yourself.`,
  },
  {
    heading: /^Hooks? needs? review/u,
    evidence: "the question about new hooks",
    hint: `${ATTACH} review the hooks.`,
  },
  {
    heading: /^(?:✨ )?Update available/u,
    evidence: "the offer of a newer Codex",
    hint: `${ATTACH} update Codex or skip the update.`,
  },
];

const ASKS = /^(?:Would you like|Do you want) .*\?$/u;

/** The subject of the dialog may be any text: only its heading identifies it. */
export function readDialog(dialog: Dialog, { action }: { readonly action: boolean }): Reading {
  const heading = (dialog.body[0] ?? "").trim();
  const setUp = SET_UP.find((known) => known.heading.test(heading));
  if (setUp !== undefined) return reading("blocked", { confidence: 0.95, evidence: [setUp.evidence], hint: setUp.hint });
  if (/^Question \d+\/\d+\b/u.test(heading) && /\benter to submit\b/u.test(dialog.keys)) return question(dialog, { action });
  if (ASKS.test(heading) && /\besc\b/u.test(dialog.keys)) return approval(dialog, { heading, action });
  if (action) {
    const evidence = ["the title asks for action", `an unknown dialog: ${heading}`];
    return reading("awaiting_approval", { confidence: 0.6, evidence, hint: `${ATTACH} answer it.` });
  }
  if (heading === "Approaching rate limits") return offer(dialog);
  const evidence = [`an unknown dialog: ${heading}`];
  return reading("blocked", { confidence: 0.6, evidence, hint: `${ATTACH} answer it.`, leave: wayOut(dialog) });
}

/** Offers another model instead of the one whose limit is near or reached. */
function offer(dialog: Dialog): Reading {
  const { body, list, whole } = dialog;
  const subject = body.map((row) => row.trim()).filter((row) => row !== "");
  return reading("awaiting_input", {
    confidence: 0.9,
    evidence: ["an offer of a model with lower usage"],
    hint: `${ATTACH} answer it.`,
    decision: whole ? { kind: "question", tool: null, subject: subject.join("\n"), choices: labelled(list) } : null,
    leave: wayOut(dialog),
  });
}

/** Escape takes none of the choices, if the shown keys include it. */
function wayOut({ keys }: Dialog): KeyPlan | null {
  return /\besc (?:back|cancel|to cancel|to go back)\b/u.test(keys) ? ["Escape"] : null;
}

/** A choice's explanation is in a column after it. */
function labelled(list: Dialog["list"]): Decision["choices"] {
  return choicesOf(list).map((choice) => ({ ...choice, label: choice.label.replace(/\s{2,}.*$/su, "") }));
}

/** The question is between its number and its answers. */
function question({ body, list, whole }: Dialog, { action }: { readonly action: boolean }): Reading {
  const subject = body
    .slice(1)
    .map((row) => row.trim())
    .filter((row) => row !== "")
    .join("\n");
  return reading("awaiting_input", {
    confidence: action ? 0.95 : 0.85,
    evidence: ["a question with answers to choose from", ...(action ? ["the title asks for action"] : [])],
    hint: `${ATTACH} answer it.`,
    decision: whole ? { kind: "question", tool: null, subject, choices: labelled(list) } : null,
  });
}

function approval(dialog: Dialog, { heading, action }: { readonly heading: string; readonly action: boolean }): Reading {
  return reading("awaiting_approval", {
    confidence: action ? 0.95 : 0.85,
    evidence: [`the question "${heading}"`, ...(action ? ["the title asks for action"] : [])],
    hint: `${ATTACH} allow or refuse it.`,
    ...asked(dialog, heading),
  });
}

/** A question is a decision only when all of it is visible. */
function asked(dialog: Dialog, heading: string): { readonly decision: Decision | null; readonly cut: CutDecision | null } {
  const end = dialog.body.findIndex((row) => /^\s*\[… \d+ lines?\]/u.test(row));
  const command = commandOf(end < 0 ? dialog.body : dialog.body.slice(0, end));
  if (dialog.whole && end < 0) return { decision: decisionOf(dialog, command ?? heading), cut: null };
  const cut = end < 0 || command === null ? null : { pieces: [command] as const, decision: decisionOf(dialog, command) };
  return { decision: null, cut };
}

function decisionOf(dialog: Dialog, subject: string): Decision {
  return {
    kind: "approval",
    tool: commandOf(dialog.body) === null ? null : "command",
    subject,
    choices: choicesOf(dialog.list).map((choice) => ({ ...choice, label: choice.label.replace(/\s\((?:\w|esc)\)$/u, "") })),
  };
}

/** The command is last, after `$`; Codex wraps it to the column of the `$`. */
function commandOf(body: readonly string[]): string | null {
  const first = body.findIndex((row) => /^\s{2}\$\s/u.test(row));
  if (first < 0) return null;
  const rows = body.slice(first).map((row, index) => row.slice(index === 0 ? 4 : 2));
  return rows.join("\n").trimEnd();
}
