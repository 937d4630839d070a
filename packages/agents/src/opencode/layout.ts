import type { Observation } from "../adapter.js";
import { isBlank, withoutBlankEnd } from "../screen/rows.js";

/** The input: a bar to its left, the chosen agent and model in its last row, a closing edge and the footer below. */
export interface Composer {
  readonly kind: "composer";
  /** Rows joined by LF; without the grey suggestion. */
  readonly text: string;
  readonly footer: readonly string[];
  /** The conversation, without a sidebar. */
  readonly above: readonly string[];
  readonly holdsCursor: boolean;
}

/** A barred block without a closing edge that replaced the input at the end of the screen. */
export interface Dialog {
  readonly kind: "dialog";
  /** The rows after the bar. */
  readonly rows: readonly string[];
  /** Below its maximum height: a dialog of full height may hide the end of its subject, without a sign. */
  readonly whole: boolean;
}

export type Layout = Composer | Dialog | { readonly kind: "blank" } | { readonly kind: "other"; readonly rows: readonly string[] };

/** Divides the visible rows: only the last block is OpenCode's current state, everything above it is history. */
export function layoutOf(screen: Observation): Layout {
  const rows = withoutBlankEnd(screen.lines);
  if (rows.length === 0) return { kind: "blank" };
  return dialogOf(withoutSidebar(rows, screen.columns)) ?? composerOf(rows, screen) ?? { kind: "other", rows };
}

/** The grey text of an empty input. */
const PROPOSAL = /^Ask anything(?:…|\.\.\.)/u;
/** A terminal stores a zero-width character in the preceding cell, which OpenCode does not redraw once the text is gone (1.18.33, tmux 3.3a). */
const REMNANT = /^[\p{Cf}\p{Mn}\p{Me}\s]+$/u;

/** The beginning of the suggestion, one letter per cell. */
const PROPOSED = "Ask anything...";
const WITHOUT_WIDTH = /^\p{Cf}$/u;

/**
 * OpenCode gives a format character a cell of its own; a terminal does not, so the suggestion's letter in that cell stays on the screen
 * (1.18.33, tmux 3.3a).
 */
function withoutProposed(row: string): string {
  const characters = [...row];
  const isLeft = (index: number) => index > 0 && WITHOUT_WIDTH.test(characters[index - 1] ?? "");
  let cell = 0;
  return characters
    .filter((character, index) => {
      if (isLeft(index) && character === PROPOSED[cell - 1]) return false;
      cell += 1;
      return true;
    })
    .join("");
}

function composerOf(all: readonly string[], { cursor }: Observation): Composer | null {
  const bottom = all.findLastIndex((row) => /^\s*╹▀{8,}/u.test(row));
  const edge = /^(\s*)╹▀+/u.exec(all[bottom] ?? "");
  if (edge === null) return null;
  const bar = `${edge[1]}┃`;
  const rows = all.map((row) => row.slice(0, edge[0].length).trimEnd());
  // A list opened by its first or last word is above it, between two bars.
  const isListed = (row: string) => row.length === edge[0].length && row.endsWith("┃");
  const top = rows.slice(0, bottom).findLastIndex((row) => !row.startsWith(bar) || isListed(row)) + 1;
  const inside = rows.slice(top, bottom).map((row) => row.slice(bar.length + 2));
  if (inside.length < 3) return null;
  // A blank row is above the text, and another one below it before the row with the agent.
  const [first = "", ...more] = inside.slice(1, -2);
  const text = [withoutProposed(first), ...more].join("\n").trimEnd();
  const atStart = cursor.row === top + 1 && cursor.column <= bar.length + 2;
  return {
    kind: "composer",
    text: atStart && (PROPOSAL.test(text) || REMNANT.test(text)) ? "" : text,
    footer: all.slice(bottom + 1),
    above: rows.slice(0, top),
    holdsCursor: cursor.visible && cursor.row >= top && cursor.row < bottom && cursor.column > bar.length,
  };
}

/** Rows of the highest dialog, in a large enough window (1.18.33). */
const FULL_HEIGHT = 15;

function dialogOf(rows: readonly string[]): Dialog | null {
  const top = rows.findLastIndex((row) => !/^\s{2}┃/u.test(row)) + 1;
  if (top === rows.length) return null;
  return { kind: "dialog", rows: rows.slice(top).map((row) => row.slice(3)), whole: top > 1 && rows.length - top < FULL_HEIGHT };
}

/** Columns of the sidebar in a wide window; its last row names the program. */
const SIDEBAR = 42;

function withoutSidebar(rows: readonly string[], columns: number): readonly string[] {
  const shows = /^\s*• OpenCode \d/u.test((rows.at(-1) ?? "").slice(columns - SIDEBAR));
  return shows ? rows.map((row) => row.slice(0, columns - SIDEBAR).trimEnd()) : rows;
}

/** The end of the last turn in a conversation, as far as visible. */
export type Ending = { readonly kind: "interrupted" } | { readonly kind: "error"; readonly message: string } | { readonly kind: "other" };

/**
 * An error has a barred block of its own, like a prompt, and only colours distinguish them. Since a prompt comes first, an even number of
 * such blocks in a row ends with an error.
 */
export function endingOf(conversation: readonly string[]): Ending {
  const rows = withoutBlankEnd(conversation);
  const last = rows.at(-1) ?? "";
  const closed = /^\s{5}▣\s/u.test(last);
  if (closed && last.endsWith(" · interrupted")) return { kind: "interrupted" };
  const blocks = barredBlocks(withoutBlankEnd(closed ? rows.slice(0, -1) : rows));
  const message = (blocks.blocks[0] ?? []).join(" ").trim();
  if (message === "" || /^[$#]\s/u.test(message)) return { kind: "other" };
  const even = !blocks.cut && blocks.blocks.length % 2 === 0;
  return even || isAnnounced(message, rows) ? { kind: "error", message } : { kind: "other" };
}

/** For some seconds a message over the right half also shows the error. */
function isAnnounced(message: string, rows: readonly string[]): boolean {
  return rows.some((row) => row.slice(20).includes(`┃  ${message.slice(0, 40)}`));
}

/** The barred blocks at the end, the nearest first; `cut` when there may be more above the screen. */
function barredBlocks(rows: readonly string[]): { readonly blocks: readonly (readonly string[])[]; readonly cut: boolean } {
  const top = rows.findLastIndex((row) => !isBesides(row) && !/^\s{2}┃/u.test(row)) + 1;
  const blocks: string[][] = [];
  for (const [index, row] of rows.entries()) {
    if (index < top || isBesides(row)) continue;
    if (blocks.length === 0 || isBesides(rows[index - 1])) blocks.unshift([]);
    blocks[0]?.push(
      row
        .slice(3)
        .replace(/\s{8,}┃.*$/u, "")
        .trim(),
    );
  }
  return { blocks, cut: top === 0 };
}

/** Blank except for a message over the right half for some seconds. */
function isBesides(row: string | undefined): boolean {
  return isBlank(row) || /^\s{20}/u.test(row ?? "");
}
