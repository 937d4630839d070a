import type { Reading } from "../adapter.js";
import type { Choice, Decision } from "../screen/decision.js";
import { choicesOf, type OptionList, optionList } from "../screen/option-list.js";
import { isBlank, squeeze } from "../screen/rows.js";
import type { Dialog } from "./layout.js";

const RULE = /^─+$/u;
const FRAME = /^\s*╌+$/u;
const BAR = /^ │(?: |$)/u;

/** Claude's question, when its dialog is visible from its beginning; null otherwise. */
export function decisionOf(dialog: Dialog, state: Reading["state"]): Decision | null {
  if (state === "awaiting_input") return question(dialog);
  return state === "awaiting_approval" && dialog.whole ? approval(dialog) : null;
}

/** A rule divides the answers, and another one is above the question. */
function question({ before, rows }: Dialog): Decision | null {
  const all = [...before, ...rows];
  const list = optionList(all, { marker: "❯", wraps: false, skip: RULE });
  const rule = list === null ? -1 : all.slice(0, list.first).findLastIndex((row) => RULE.test(row));
  if (list === null || rule < 0) return null;
  const asked = all.slice(rule + 1, list.first).filter((row) => !isBlank(row) && !/^\s*(?:←\s+)?[☐☒✔]\s/u.test(row));
  return { kind: "question", tool: null, subject: asked.map((row) => row.trim()).join("\n"), choices: choicesOf(list).map(answer) };
}

/** In a multiple-choice list, Enter only ticks an option. A free-text answer is typed with the cursor on its option. */
function answer(choice: Choice): Choice {
  if (/^\[.\]/u.test(choice.label)) return { ...choice, keys: null };
  if (!/^Type something/u.test(choice.label)) return choice;
  const [first, ...rest] = choice.keys?.slice(0, -1) ?? [];
  return { ...choice, keys: first === undefined ? null : [first, ...rest], takesText: true };
}

function approval({ heading, before, rows }: Dialog): Decision | null {
  const list = optionList(rows, { marker: "❯", wraps: true });
  if (list === null) return null;
  return { kind: "approval", tool: heading, subject: subjectOf(rows.slice(0, bodyEnd(rows, list)), before), choices: choicesOf(list) };
}

/** The row of the question is directly above the answers. */
function bodyEnd(rows: readonly string[], list: OptionList): number {
  return rows.slice(0, list.first).findLastIndex((row) => !isBlank(row));
}

/** A command is in a frame of dashes; for a file, its name is above the frame. Older versions draw no frame around a command. */
function subjectOf(body: readonly string[], before: readonly string[]): string {
  const heading = body.findIndex((row) => !isBlank(row));
  const frames = body.flatMap((row, index) => (FRAME.test(row) ? [index] : []));
  const [top, bottom] = frames;
  const isCommand = /command$/u.test(body[heading] ?? "");
  if (isCommand && top !== undefined && bottom !== undefined) return framed(body.slice(top + 1, bottom));
  const rows = body.slice(heading + 1, top ?? body.length).filter((row) => !isBlank(row));
  return isCommand ? commandOf(rows, before) : textOf(rows);
}

/** A command of several rows has a bar before each (2.1.332). */
function framed(rows: readonly string[]): string {
  const barred = rows.every((row) => BAR.test(row));
  return textOf(barred ? rows.map((row) => row.replace(BAR, "")) : rows);
}

/** Claude's description of the command is below it; only the call in the conversation distinguishes them. */
function commandOf(rows: readonly string[], before: readonly string[]): string {
  const called = before.findLastIndex((row) => /^●\s\S+\(/u.test(row));
  const call = squeeze(before.slice(Math.max(0, called)).join(""));
  const end = rows.findIndex((_, i) => call.includes(`(${squeeze(rows.slice(0, i + 1).join(""))})`));
  return textOf(end < 0 ? rows : rows.slice(0, end + 1));
}

function textOf(rows: readonly string[]): string {
  const indent = Math.min(...rows.filter((row) => !isBlank(row)).map((row) => row.length - row.trimStart().length));
  return rows
    .map((row) => row.slice(Number.isFinite(indent) ? indent : 0))
    .join("\n")
    .trimEnd();
}
