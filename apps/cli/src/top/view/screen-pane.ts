import type { FleetSession } from "@tmpm/api";
import { age } from "../../render/age.js";
import { decisionLine } from "../../render/decision.js";
import { clock } from "../../render/fleet.js";
import type { Line } from "../../render/paint.js";
import { shortPath } from "../../render/path.js";
import { standing } from "../../render/standing.js";
import { wrapped } from "../../render/wrapped.js";
import type { Cells } from "../cells.js";
import { selectedSession, type TopState } from "../state.js";

export interface PaneView {
  readonly columns: number;
  readonly rows: number;
  readonly cells: Cells;
  readonly userHome: string | null;
}

/** The selected session: its facts, its request, and the end of its screen. Exactly `rows` lines. */
export function screenPane(state: TopState, view: PaneView): readonly Line[] {
  const session = selectedSession(state);
  if (session === null) return filled([], view);
  const title = titleLine(session, { ...view, now: state.now });
  const head = [title, ...askedLines(session, view), ...silentLines(session, { ...view, silent: state.silent })].slice(0, view.rows);
  const rows = view.rows - head.length;
  return filled([...head, ...shownLines(state, { ...view, rows })], view);
}

function titleLine(session: FleetSession, { columns, cells, userHome, now }: PaneView & { readonly now: number }): Line {
  const { name, sign, tone } = standing(session);
  const text = `${session.name}  ${sign} ${name} ${age(session.activity.since, now)}  ${session.agent}  ${session.project_id}  ${shortPath(session.cwd, userHome)}`;
  return [{ text: cells.fit(cells.clean(text), columns), bold: true, tone }];
}

function askedLines({ decision }: FleetSession, { columns, cells }: PaneView): readonly Line[] {
  if (decision === null) return [];
  const choices = decision.choices.map(({ label }, index) => `${index + 1} ${label}`).join("  ");
  const keys = decision.kind === "approval" ? `a approve  d deny  ${choices}` : choices;
  return [decisionLine(decision), keys].map((text) => [{ text: cells.fit(cells.clean(text), columns), tone: "yellow" }]);
}

function silentLines({ node, was }: FleetSession, { columns, cells, silent }: PaneView & Pick<TopState, "silent">): readonly Line[] {
  const silence = node === null || was === null ? undefined : silent.get(node);
  if (silence === undefined) return [];
  const since = silence.asOf === null ? "it has never answered" : `last response at ${clock(silence.asOf)}`;
  const text = `${node} does not answer (${silence.reason}); ${since}`;
  return wrapped(cells.clean(text), { cells: columns, hang: 0 }).map((line) => [{ text: cells.fit(line, columns), tone: "red" }]);
}

function shownLines(state: TopState, { columns, rows, cells }: PaneView): readonly Line[] {
  const { screen, scrolled } = state;
  const session = selectedSession(state);
  if (session !== null && session.was !== null)
    return session.last_lines.slice(-rows).map((line) => [{ text: cells.cut(cells.clean(line), columns), tone: "faint" }]);
  if (screen === null) return [[{ text: cells.fit("loading its screen", columns), tone: "faint" }]];
  const ended = screen.live ? [] : [[{ text: cells.fit("ended; these are its last lines", columns), tone: "faint" as const }]];
  const last = screen.lines.findLastIndex((line) => line.trim() !== "");
  const end = Math.max(last, screen.live ? screen.cursorRow : 0) + 1;
  const height = Math.max(0, rows - ended.length);
  const until = Math.max(Math.min(height, end), end - scrolled);
  const shown = screen.lines.slice(Math.max(0, until - height), until);
  return [...ended, ...shown.map((line) => [{ text: cells.cut(cells.clean(line), columns) }])];
}

function filled(lines: readonly Line[], { rows }: PaneView): readonly Line[] {
  return [...lines, ...Array.from({ length: Math.max(0, rows - lines.length) }, () => [])].slice(0, rows);
}
