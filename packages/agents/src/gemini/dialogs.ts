import type { Observation, Reading } from "../adapter.js";
import type { CutDecision, Decision, KeyPlan } from "../screen/decision.js";
import { choicesOf, optionList } from "../screen/option-list.js";
import { limitIn, momentIn, type ReadLimit } from "../screen/read-limit.js";
import { ATTACH, reading } from "../screen/reading.js";
import { isBlank } from "../screen/rows.js";
import type { Dialog } from "./layout.js";

/** Dialogs that only the user may answer, by the first line in their frame. */
const SET_UP: readonly { readonly heading: RegExp; readonly evidence: string; readonly hint: string }[] = [
  {
    heading: /^Do you trust (?:the files in )?this folder/u,
    evidence: "the folder trust dialog",
    hint: `${ATTACH} answer whether you trust this folder.`,
  },
  {
    heading: /^(?:\? )?(?:Get started|How would you like to authenticate)/u,
    evidence: "the choice of authentication",
    hint: `${ATTACH} log in, or run \`gemini\` once yourself.`,
  },
  {
    heading: /^Enter Gemini API Key/u,
    evidence: "the question for an API key",
    hint: `${ATTACH} enter the API key, or run \`gemini\` once yourself.`,
  },
];

/** The subject of a box may be any text: its first line and its list identify it. */
export function readDialog(dialog: Dialog, { action, atMs }: Pick<Observation, "atMs"> & { readonly action: boolean }): Reading {
  const heading = headingOf(dialog).trim();
  const setUp = SET_UP.find((known) => known.heading.test(heading));
  if (setUp !== undefined) return reading("blocked", { confidence: 0.95, evidence: [setUp.evidence], hint: setUp.hint });
  if (dialog.list !== null && offersOnce(dialog.list.options)) return approval(dialog, { action });
  if (heading === "Answer Questions" && dialog.list !== null) return question(dialog);
  if (dialog.list !== null && NO_MODEL.test(heading)) return offer(dialog, { heading, atMs });
  if (action) {
    const evidence = ["the title asks for action", `an unknown box: ${heading}`];
    return reading("awaiting_input", { confidence: 0.6, evidence, hint: `${ATTACH} answer it.` });
  }
  if (dialog.list === null) return reading("unknown", { confidence: 0.3, evidence: [`an unknown box: ${heading}`] });
  return reading("blocked", { confidence: 0.6, evidence: [`an unknown dialog: ${heading}`], hint: `${ATTACH} answer it.` });
}

/** The first line of the question: for a server's tool, a general line is above it. */
function headingOf({ rows }: Pick<Dialog, "rows">): string {
  return rows.find((row) => !isBlank(row) && !/^\s*Action Required\b/u.test(row)) ?? "";
}

/** Gemini cannot continue with its model: its limit is reached, it is overloaded, or it does not exist. */
const NO_MODEL =
  /^(?:Usage limit reached for |We are currently experiencing high demand|It seems like you don't have access to |Model ".*" (?:was not found|is not available))/u;

interface Offered extends Pick<Observation, "atMs"> {
  readonly heading: string;
}

/** A list of possible actions. Escape does nothing there: `Stop` closes it. */
function offer({ rows, whole }: Dialog, { heading, atMs }: Offered): Reading {
  const list = optionList(rows, { marker: "●", wraps: true });
  const choices = list === null ? [] : choicesOf(list);
  const subject = rows
    .slice(0, list?.first ?? 0)
    .map((row) => row.trim())
    .filter((row) => row !== "");
  return reading("awaiting_input", {
    confidence: 0.95,
    evidence: [heading],
    hint: `${ATTACH} answer it.`,
    decision: whole ? { kind: "question", tool: null, subject: subject.join("\n"), choices } : null,
    limit: limitOf(subject, atMs),
    leave: wayOut(choices),
  });
}

function limitOf([heading = "", ...rest]: readonly string[], atMs: number | undefined): ReadLimit | null {
  const resets = rest.find((row) => row.startsWith("Access resets at "));
  const limit = limitIn(heading, atMs);
  return limit === null || resets === undefined ? limit : { message: `${heading} ${resets}`, resetsAtMs: momentIn(resets, atMs) };
}

function wayOut(choices: Decision["choices"]): KeyPlan | null {
  return choices.find(({ label }) => label === "Stop")?.keys ?? null;
}

/** Shown above and below a list that is scrolled. */
const SCROLLS = /^\s*[▲▼]\s*$/u;

/** The question is between the heading and its answers. */
function question({ rows, whole }: Dialog): Reading {
  const list = optionList(rows, { marker: "●", wraps: false });
  const asked = rows
    .slice(0, list?.first ?? 0)
    .filter((row) => !isBlank(row) && !SCROLLS.test(row))
    .slice(1);
  const choices = (list === null ? [] : choicesOf(list)).map((choice) => ({
    ...choice,
    takesText: /^Enter a custom value/u.test(choice.label),
  }));
  return reading("awaiting_input", {
    confidence: 0.9,
    evidence: ["a question with answers to choose from"],
    hint: `${ATTACH} answer it.`,
    decision: whole ? { kind: "question", tool: null, subject: asked.map((row) => row.trim()).join("\n"), choices } : null,
  });
}

function offersOnce(options: readonly string[]): boolean {
  return options.some((option) => /^(?:Allow once|Yes\b)/u.test(option));
}

function approval(dialog: Dialog, { action }: { readonly action: boolean }): Reading {
  const asked = dialog.rows.map((row) => row.trim()).findLast((row) => /\?$/u.test(row) && /^[A-Z]/u.test(row));
  return reading("awaiting_approval", {
    confidence: action && dialog.whole ? 0.95 : 0.8,
    evidence: [
      asked === undefined ? "a choice that allows once" : `the question "${asked}"`,
      ...(action ? ["the title asks for action"] : []),
    ],
    hint: `${ATTACH} allow or refuse it.`,
    ...(dialog.whole ? askedIn(dialog) : {}),
  });
}

/**
 * The first line is `? TOOL  subject`; an exact command is in an inner frame below, and may be truncated there. The arguments of a server's
 * tool are only in the first line, which ends with `…` when truncated.
 */
function askedIn({ rows, list }: Dialog): { readonly decision?: Decision; readonly cut?: CutDecision } {
  const heading = /^\s?\?\s+(\S+)\s+(.*)$/u.exec(headingOf({ rows }));
  if (list === null || heading === null) return {};
  const framed = rows.filter((row) => /^\s│.*│\s*$/u.test(row)).map((row) => row.trim().slice(2, -1).trimEnd());
  const hidden = framed.findIndex((row) => /^\.\.\. .*\d+ .*hidden\b/u.test(row));
  const runs = rows.some((row) => /^\s?Allow execution of\b/u.test(row));
  const shown = framed
    .slice(hidden + 1)
    .join("\n")
    .trimEnd();
  const decision = {
    kind: "approval",
    tool: heading[1] ?? null,
    subject: runs && framed.length > 0 ? shown : (heading[2] ?? "").trim(),
    choices: choicesOf(list).map((choice) => ({ ...choice, label: choice.label.replace(/\s\(esc\)$/u, "") })),
  } as const;
  if (hidden >= 0) return { cut: { pieces: [shown], decision } };
  return decision.subject.endsWith("…") ? { cut: { pieces: [decision.subject.slice(0, -1)], decision } } : { decision };
}
