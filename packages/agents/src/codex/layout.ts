import type { Observation } from "../adapter.js";
import { type OptionList, optionList } from "../screen/option-list.js";
import { blocksFromEnd, isBlank, withoutBlankEnd } from "../screen/rows.js";

/** The input, the last thing on Codex's screen except a blank row and its footer. */
export interface Composer {
  readonly kind: "composer";
  /** The text after the prompt, rows joined by LF; without the grey suggestion. */
  readonly text: string;
  readonly footer: readonly string[];
  /** The last block of the conversation. */
  readonly above: readonly string[];
  readonly holdsCursor: boolean;
}

/** A list of options, the last thing on the screen except its keys. */
export interface Dialog {
  readonly kind: "dialog";
  /** From its heading to the list; begins after two blank rows, or at the top. The text of a request may contain such rows, too. */
  readonly body: readonly string[];
  readonly list: OptionList;
  readonly keys: string;
  /** Nothing is truncated at the top, and only one row can be its heading. */
  readonly whole: boolean;
  /** The last block of the conversation. */
  readonly above: readonly string[];
}

export type Layout =
  | Composer
  | Dialog
  | { readonly kind: "picker" }
  | { readonly kind: "blank" }
  | { readonly kind: "other"; readonly rows: readonly string[] };

const HEADING = /^(?:(?:Would you like|Do you want) .*\?|Question \d+\/\d+\b.*)$/u;

/** A block begins with a sign; Codex wraps its own long messages back to the first column. */
const BLOCK = /^(?:[•›]|[^\p{L}\p{N}\p{P}\s])\s/u;

/** Divides the visible rows: only the last block is Codex's current state, everything above it is history. */
export function layoutOf(screen: Observation): Layout {
  const rows = withoutBlankEnd(screen.lines);
  if (rows.length === 0) return { kind: "blank" };
  return composerOf(rows, screen) ?? dialogOf(rows) ?? pickerOf(rows) ?? { kind: "other", rows };
}

function composerOf(rows: readonly string[], { cursor }: Observation): Composer | null {
  const gap = rows.findLastIndex(isBlank);
  const top = rows.slice(0, Math.max(0, gap)).findLastIndex((row) => /^\S/u.test(row));
  const first = /^›(?:\s(.*))?$/u.exec(rows[top] ?? "");
  if (top < 0 || first === null) return null;
  const footer = rows.slice(gap + 1);
  if (!footer.every(isIndented)) return null;
  const holdsCursor = cursor.row >= top && cursor.row < gap && cursor.visible;
  // A list's mark is in the place of the prompt, but then the cursor is hidden.
  if (!holdsCursor && /^\d+\.\s/u.test(first[1] ?? "")) return null;
  const text = [first[1] ?? "", ...rows.slice(top + 1, gap).map((row) => row.slice(2))].join("\n").trimEnd();
  const atStart = cursor.row === top && cursor.column <= 2;
  return {
    kind: "composer",
    text: isProposal(text, { footer, atStart }) ? "" : text,
    footer,
    above: blocksFromEnd(rows.slice(0, top), BLOCK)[0] ?? [],
    holdsCursor,
  };
}

/** The footer shows the shortcuts only while nothing is typed. */
function isProposal(text: string, { footer, atStart }: { readonly footer: readonly string[]; readonly atStart: boolean }): boolean {
  return atStart && (text === "Ask Codex to do anything" || footer.some((row) => /\? for shortcuts/u.test(row)));
}

function dialogOf(rows: readonly string[]): Dialog | null {
  const list = optionList(rows, { marker: "›>", wraps: true });
  if (list === null) return null;
  const rest = rows.slice(list.last + 1).filter((row) => !isBlank(row));
  if (rest.length > 2 || !rest.every(isIndented)) return null;
  const end = rows.slice(0, list.first).findLastIndex((row) => !isBlank(row)) + 1;
  const tops = topsOf(rows.slice(0, end));
  const headings = tops.filter((top) => HEADING.test(rows[top]?.trim() ?? ""));
  const top = headings[0] ?? tops.at(-1) ?? 0;
  const body = rows.slice(top, end);
  const above = blocksFromEnd(rows.slice(0, top), BLOCK)[0] ?? [];
  const whole = headings.length < 2 && /^ {1,2}\S/u.test(body[0] ?? "");
  return { kind: "dialog", body, list, keys: rest.join(" ").trim(), whole, above };
}

/** The rows below the conversation at which a dialog may begin. */
function topsOf(rows: readonly string[]): readonly number[] {
  const conversation = rows.findLastIndex((row) => /^\S/u.test(row)) + 1;
  return rows.flatMap((row, i) => (i >= conversation && isBlank(row) && (i === 0 || isBlank(rows[i - 1])) ? [i + 1] : []));
}

/** The list of conversations ends with a rule that counts them, and its keys. */
function pickerOf(rows: readonly string[]): Layout | null {
  const counts = rows.slice(-5).some((row) => /^─+ \d+ \/ \d+ · \d+% ─$/u.test(row));
  return counts ? { kind: "picker" } : null;
}

function isIndented(row: string): boolean {
  return isBlank(row) || /^\s\s/u.test(row);
}
