import type { FleetSession } from "@tmpm/api";
import { age } from "../../render/age.js";
import type { Line } from "../../render/paint.js";
import { lastWords, standing, waitsSince, wasText } from "../../render/standing.js";
import { allTokens, tokensText } from "../../render/tokens.js";
import { indent } from "../../render/tree.js";
import type { Cells } from "../cells.js";

export interface RowView {
  readonly columns: number;
  readonly now: number;
  readonly cells: Cells;
  readonly selected: boolean;
  /** Names begin with the node. */
  readonly hasNodes: boolean;
  /** Its depth in the tree; 0 outside a tree. */
  readonly depth: number;
  /** The matching line of a search; null without one. */
  readonly found: string | null;
}

const STATE = 8;
const AGE = 4;
const AGENT = 8;
const PROJECT = 10;
/** Below these widths a column is omitted in favour of the last message. */
const AGENT_FROM = 60;
const PROJECT_FROM = 76;
const TOKENS = 5;
const TOKENS_FROM = 90;

/** A session in one line of exactly `columns` cells: sign, state, age, name, agent, project, tokens, last message. */
export function sessionRow(session: FleetSession, { columns, now, cells, selected, hasNodes, depth, found }: RowView): Line {
  const { sign, name, tone, needsYou } = standing(session);
  const { fit, clean } = cells;
  const nameWidth = hasNodes
    ? Math.max(12, Math.min(34, Math.floor(columns * 0.32)))
    : Math.max(8, Math.min(20, Math.floor(columns * 0.22)));
  const start: Line = [
    { text: selected ? ">" : " ", bold: true },
    { text: `${sign} ${fit(name, STATE)}`, tone, bold: needsYou },
    { text: ` ${age(waitsSince(session), now).padStart(AGE)} ` },
    { text: fit(`${indent(depth)}${clean(session.name)}`, nameWidth), bold: selected || needsYou },
    ...(columns < AGENT_FROM ? [] : [{ text: ` ${fit(clean(session.agent), AGENT)}`, tone: "faint" as const }]),
    ...(columns < PROJECT_FROM ? [] : [{ text: ` ${fit(clean(session.project_id), PROJECT)}`, tone: "faint" as const }]),
    ...(columns < TOKENS_FROM ? [] : [{ text: ` ${tokensOf(session).padStart(TOKENS)}`, tone: "faint" as const }]),
    { text: " " },
  ];
  const left = columns - start.reduce((sum, { text }) => sum + text.length, 0);
  return [...start, { text: fit(clean(found ?? words(session)), left) }];
}

function tokensOf({ usage }: FleetSession): string {
  return usage === null ? "" : tokensText(allTokens(usage.tokens));
}

function words(session: FleetSession): string {
  // Its last message is outdated.
  const was = wasText(session);
  if (was !== null) return was;
  return `${session.queued === 0 ? "" : `[${session.queued} queued] `}${lastWords(session)}`;
}
