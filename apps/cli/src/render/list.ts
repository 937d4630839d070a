import type { Problem, SessionAnswer, SessionList } from "@tmpm/api";
import { PORTS_EACH } from "@tmpm/core";
import type { View } from "../context.js";
import { age } from "./age.js";
import type { Cell } from "./cell.js";
import { renderDiscovered } from "./discovered.js";
import { oneLine } from "./one-line.js";
import { overwrittenLines } from "./overwritten.js";
import { pathCell } from "./path.js";
import { lastWords, sortedByNeed, standing, standingText, waitsSince } from "./standing.js";
import { table } from "./table.js";
import { allTokens, contextText, tokensText } from "./tokens.js";
import { asTree, type Branch, indent } from "./tree.js";

const HEAD = ["NAME", "STATE", "FOR", "AGENT", "SEEN", "DIRECTORY", "WHAT"];
/** Columns omitted in this order if space is short: last seen, agent, directory, duration. */
const SPARE = [4, 3, 5, 2];

export interface ListView extends View {
  /** Also show the usage of each. */
  readonly usage?: boolean;
  /** Show each below the session that started it. */
  readonly tree?: boolean;
  /** Also show the ports of their workspaces. */
  readonly ports?: boolean;
}

const USAGE_HEAD = ["NAME", "STATE", "TOKENS", "CONTEXT", ...HEAD.slice(2)];
const USAGE_SPARE = [6, 7, 5, 4];

/** The table of sessions, starting with those that need the user; below it unreadable records. Empty without either. */
export function renderList({ sessions, problems, store, discovered = [], silent = [] }: SessionList, view: ListView): string {
  const ordered = view.tree === true ? asTree(sessions) : sortedByNeed(sessions).map((session) => ({ session, depth: 0 }));
  const rows = ordered
    .map((branch) => (view.usage === true ? withUsage(branch.session, row(branch, view)) : row(branch, view)))
    .map((cells, index) => (view.ports === true ? withPorts(ordered[index]?.session, cells) : cells));
  const usual = view.usage === true ? { head: USAGE_HEAD, spare: USAGE_SPARE } : { head: HEAD, spare: SPARE };
  const columns = view.ports === true ? { head: ["NAME", "PORTS", ...usual.head.slice(1)], spare: usual.spare.map((at) => at + 1) } : usual;
  const listed = rows.length === 0 ? [] : [table({ ...columns, rows, room: 24 }, view)];
  const degraded =
    store.state === "ok" ? [] : [`degraded, so this may differ from the disk: ${oneLine(store.message ?? "unknown reason")}`];
  const unseen = silent.map(
    ({ host, since, reason, sessions: count }) =>
      `${oneLine(host)} has not answered for ${age(since, view.now)}, so ${count === 1 ? "a session is" : `${count} sessions are`} shown as last seen: ${oneLine(reason)}`,
  );
  const others = discovered.length === 0 ? [] : [...(listed.length === 0 ? [] : [""]), renderDiscovered({ discovered }, view)];
  return [...listed, ...problems.map(problemLine), ...overwrittenLines(store), ...degraded, ...unseen, ...others].join("\n");
}

function row({ session, depth }: Branch, { now, userHome }: View): readonly Cell[] {
  const { sign, tone, needsYou } = standing(session);
  const about = needsYou || session.decision !== null ? lastWords(session) : (session.hint ?? lastWords(session));
  return [
    `${indent(depth)}${session.name}`,
    { text: `${sign} ${standingText(session)}`, tone },
    age(waitsSince(session), now),
    session.agent,
    age(session.activity.observed_at, now),
    pathCell(session.cwd, userHome),
    `${queuedText(session)}${about.split("\n", 1)[0] ?? ""}`,
  ];
}

function withUsage({ usage }: SessionAnswer, [name = "", state = "", ...rest]: readonly Cell[]): readonly Cell[] {
  const tokens = usage === null ? "-" : tokensText(allTokens(usage.tokens));
  return [name, state, tokens, contextText(usage?.context ?? null), ...rest];
}

function withPorts(session: SessionAnswer | undefined, [name = "", ...rest]: readonly Cell[]): readonly Cell[] {
  const ports = session?.ports ?? null;
  if (ports === null) return [name, "-", ...rest];
  const named = ports.names.map((each, index) => `${each} ${ports.base + index}`);
  return [name, [`${ports.base}-${ports.base + PORTS_EACH - 1}`, ...named].join(", "), ...rest];
}

/** The number of further queued prompts. */
function queuedText({ queued }: SessionAnswer): string {
  return queued === 0 ? "" : `[${queued} queued] `;
}

function problemLine({ kind, id, project_id, reason }: Problem): string {
  return oneLine(`${kind} record ${id} in project ${project_id}: ${reason}`);
}
