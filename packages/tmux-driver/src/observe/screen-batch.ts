import { TmpmError } from "@tmpm/core";
import type { Screen } from "../driver.js";
import { paneGone } from "../effects/guard.js";
import { isGeneration, type ObserveContext } from "../server/server-context.js";
import type { Command } from "../transport/channel.js";
import { foundRow } from "./find.js";
import { type Glance, observeServer, type ServerObservation } from "./observe-server.js";
import { paneInfos } from "./pane-infos.js";
import { readFacts, type ScreenFacts, screenFactsFormat } from "./screen-text.js";
import type { ScreenQuery } from "./screens.js";
import { styledRows } from "./styled-rows.js";

/** With a format for each pane, more would not fit in one message of a client to a server (16 KB). */
const MOST_ALONE = 12;

/** Null when tmux printed other rows than it reported. */
export type BatchedScreen = Screen | TmpmError | null;

/**
 * The screens of panes, all captured in the step of the server that reports their facts. When a good part of the server's panes is
 * requested, one list reports the facts of all, which costs a fraction of querying each.
 */
export async function readScreenBatch(context: ObserveContext, queries: readonly ScreenQuery[]): Promise<BatchedScreen[]> {
  if (isMostOfAll(context, queries)) return readTogether(context, { queries, rows: ({ facts }) => [["list-panes", "-a", "-F", facts]] });
  const parts = Array.from({ length: Math.ceil(queries.length / MOST_ALONE) }, (_, part) =>
    queries.slice(part * MOST_ALONE, (part + 1) * MOST_ALONE),
  );
  const read = (part: readonly ScreenQuery[]) =>
    readTogether(context, {
      queries: part,
      rows: ({ facts }) => part.map(({ identity }) => ["display-message", "-p", "-t", identity.pane_id, facts]),
    });
  return (await Promise.all(parts.map(read))).flat();
}

function isMostOfAll({ known }: ObserveContext, { length }: readonly ScreenQuery[]): boolean {
  return length > 1 && length * 4 >= known.panes();
}

interface Together {
  readonly queries: readonly ScreenQuery[];
  /** Prints the panes' rows. */
  readonly rows: (formats: { readonly facts: string }) => readonly Command[];
}

async function readTogether(context: ObserveContext, { queries, rows }: Together): Promise<BatchedScreen[]> {
  const glance: Glance = (formats) => [
    ...rows({ facts: `${formats.pane}${screenFactsFormat(formats)}` }),
    ["display-message", "-p", formats.text],
    ...queries.map(captureCommand),
  ];
  const seen = await observeServer(context, glance);
  const missing = missingIn(seen, queries);
  if (missing.size > 0) return readOthers(context, { seen, queries, missing });
  return screensOf(context, { seen, queries });
}

function captureCommand({ identity, history }: ScreenQuery): Command {
  return ["capture-pane", "-p", "-e", "-t", identity.pane_id, "-S", history === 0 ? "0" : `-${history}`];
}

/** A missing pane ends the commands. */
function missingIn(seen: ServerObservation, queries: readonly ScreenQuery[]): ReadonlySet<ScreenQuery> {
  if (seen.kind !== "refused") return new Set();
  const there = new Set(seen.rows.panes.map(({ paneId }) => paneId));
  return new Set(queries.filter(({ identity }) => !there.has(identity.pane_id)));
}

/** Answers for the missing panes, and queries the others again. */
async function readOthers(
  context: ObserveContext,
  {
    seen,
    queries,
    missing,
  }: { readonly seen: ServerObservation; readonly queries: readonly ScreenQuery[]; readonly missing: ReadonlySet<ScreenQuery> },
): Promise<BatchedScreen[]> {
  const others = queries.filter((query) => !missing.has(query));
  const read = others.length === 0 ? [] : await readScreenBatch(context, others);
  const left = [...read];
  return Promise.all(queries.map((query) => (missing.has(query) ? reasonFor(context, { seen, query }) : (left.shift() ?? null))));
}

async function screensOf(
  context: ObserveContext,
  { seen, queries }: { readonly seen: ServerObservation; readonly queries: readonly ScreenQuery[] },
): Promise<BatchedScreen[]> {
  if (seen.kind !== "seen") return Promise.all(queries.map((query) => reasonFor(context, { seen, query })));
  const asked = new Set(queries.map(({ identity }) => identity.pane_id));
  const panes = seen.rows.panes.filter(({ paneId }) => asked.has(paneId));
  const infos = new Map((await paneInfos(context, { ...seen.rows, panes })).map((info) => [info.identity.pane_id, info]));
  const facts = readFacts(seen.texts.slice(0, -1));
  const captured = (seen.texts.at(-1) ?? "").split("\n").slice(1);
  let from = 0;
  const screens = await Promise.all(
    queries.map((query) => {
      const { identity } = query;
      const pane = infos.get(identity.pane_id);
      const fact = facts.get(identity.pane_id);
      if (pane === undefined || fact === undefined) return reasonFor(context, { seen, query });
      const start = from;
      from += pane.rows + Math.min(query.history, fact.historySize);
      const isOurs = identity.socket === context.socket && isGeneration(seen.rows.server, identity);
      return isOurs ? screenOf({ rows: captured.slice(start, from), fact, pane }) : reasonFor(context, { seen, query });
    }),
  );
  return from === captured.length ? screens : screens.map(() => null);
}

function screenOf({
  rows,
  fact,
  pane,
}: {
  readonly rows: readonly string[];
  readonly fact: ScreenFacts;
  readonly pane: Screen["pane"];
}): Screen {
  const { lines, styles } = styledRows(rows);
  const { cursor, historySize, title } = fact;
  return { lines, styles, cursor, historySize, title, pane };
}

async function reasonFor(
  context: ObserveContext,
  { seen, query }: { readonly seen: ServerObservation; readonly query: ScreenQuery },
): Promise<TmpmError> {
  const found = await foundRow(context, { seen, identity: query.identity });
  return found instanceof TmpmError ? found : paneGone(query.identity);
}
