import { keyOf } from "../../render/key-of.js";
import { type Line, type Painting, paint } from "../../render/paint.js";
import type { Cells } from "../cells.js";
import { layout } from "../layout.js";
import { listedBranches, type TopState } from "../state.js";
import { bottomRows, keyLines } from "./bottom.js";
import { diffPage } from "./diff-page.js";
import { headLine } from "./head.js";
import { helpPage } from "./help-page.js";
import { screenPane } from "./screen-pane.js";
import { sessionRow } from "./session-row.js";

/** The prompt at the bottom: its title, and its rendered rows. */
export interface PromptView {
  readonly label: string;
  readonly rows: readonly string[];
}

export interface FrameView {
  readonly cells: Cells;
  readonly painting: Painting;
  readonly unicode: boolean;
  /** To shorten paths; null when not known. */
  readonly userHome: string | null;
  readonly prompt: PromptView | null;
}

/** The whole terminal: one line per row, printable except for style sequences. */
export function frame(state: TopState, view: FrameView): readonly string[] {
  const { rows } = state.size;
  const lines = pageLines(state, view) ?? mainLines(state, view);
  return Array.from({ length: rows }, (_, row) => lines[row] ?? "");
}

/** A full-screen page in place of the list; null without one. */
function pageLines(state: TopState, view: FrameView): readonly string[] | null {
  const { mode, size } = state;
  if (mode.kind === "help") return helpLines(state, { ...view, from: mode.from });
  if (mode.kind !== "changes" && mode.kind !== "hunks") return null;
  const { cells, painting } = view;
  return diffPage(state, { mode, cells }).map((line) => paint(cutLine(line, { columns: size.columns, cells }), painting));
}

function helpLines({ size }: TopState, { from, ...view }: FrameView & { readonly from: number }): readonly string[] {
  const shown = helpPage(size.columns).slice(from, from + size.rows);
  return shown.map((line) => paint(cutLine(line, { columns: size.columns, cells: view.cells }), view.painting));
}

function mainLines(state: TopState, view: FrameView): readonly string[] {
  const { columns } = state.size;
  const bottom = bottomLines(state, view);
  const head = paint(cutLine(headLine(state), { columns, cells: view.cells }), view.painting);
  return [head, ...bodyLines(state, { ...view, bottom: bottom.length }), ...bottom];
}

function bodyLines(state: TopState, view: FrameView & { readonly bottom: number }): readonly string[] {
  const { list, screen, beside } = layout(state, view.bottom);
  const left = listLines(state, view);
  const pane = screenPane(state, { columns: screen.columns, rows: screen.rows, cells: view.cells, userHome: view.userHome });
  const right = pane.map((line) => paint(line, view.painting));
  if (!beside) return [...left, ...right];
  // Keeps the right side in place even if the terminal computes another width for the left side.
  const between = `\u001b[${screen.left - 1}G${paint([{ text: view.unicode ? "│" : "|", tone: "faint" }], view.painting)} `;
  return Array.from({ length: list.rows }, (_, row) => `${left[row] ?? ""}${between}${right[row] ?? ""}`);
}

/** Exactly as many lines as the list has rows, each as wide as it. */
function listLines(state: TopState, view: FrameView & { readonly bottom: number }): readonly string[] {
  const { list, first } = layout(state, view.bottom);
  const branches = listedBranches(state).slice(first, first + list.rows);
  const hasNodes = [...state.problems.keys()].some((node) => node !== null);
  const lines = branches.map(({ session, depth }) => {
    const key = keyOf(session);
    const selected = key === state.selected;
    const found = state.found?.lines.get(key) ?? null;
    const line = sessionRow(session, { columns: list.columns, now: state.now, cells: view.cells, selected, hasNodes, depth, found });
    return paint(cutLine(line, { columns: list.columns, cells: view.cells }), { ...view.painting, reversed: selected });
  });
  if (lines.length === 0) lines.push(view.cells.fit(emptyText(state), list.columns));
  return [...lines, ...Array.from({ length: Math.max(0, list.rows - lines.length) }, () => " ".repeat(list.columns))];
}

function emptyText({ sessions }: TopState): string {
  return sessions.size === 0 ? "no sessions; start one with: tmpm new" : "no session matches; Esc shows all, Tab changes the view";
}

function bottomLines(state: TopState, { cells, painting, prompt }: FrameView): readonly string[] {
  const { columns } = state.size;
  const drawn = (line: Line) => paint(cutLine(line, { columns, cells }), painting);
  if (prompt !== null) return [drawn([{ text: prompt.label, bold: true }]), ...prompt.rows];
  const keys = keyLines(columns).map(drawn);
  return [drawn(noticeLine(state, cells)), ...keys].slice(-bottomRows(state));
}

function noticeLine({ mode, notice }: TopState, { clean }: Cells): Line {
  if (mode.kind === "stop") return [{ text: `Stop ${mode.session.name}? y stops it, any other key cancels`, bold: true, tone: "yellow" }];
  return notice === null ? [] : [{ text: clean(notice.text), tone: notice.tone }];
}

/** A line of limited width. */
function cutLine(line: Line, { columns, cells }: { readonly columns: number; readonly cells: Cells }): Line {
  let left = columns;
  return line.map((span) => {
    const text = cells.cut(cells.clean(span.text), left);
    left -= cells.width(text);
    return { ...span, text };
  });
}
