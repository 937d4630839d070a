import { type PaneIdentity, type PaneInfo, runningTurns, type SessionRecord } from "@tmpm/core";
import type { SessionHost } from "@tmpm/host";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { confirmedGone } from "../discovery/mass-loss-guard.js";
import { terminalsOf } from "../discovery/terminals.js";
import { concludeIfEnded } from "./conclude.js";
import type { InFlight } from "./in-flight.js";
import { noteObservation } from "./note-observation.js";
import { noteScreen, remember, SETTLED_SECONDS } from "./observe.js";
import { isSuspension, suspended } from "./suspended.js";

/**
 * Looks at all active sessions once: one listing for each host, and one batch of screens with output since the last one. Resulting work on
 * a session is started and not awaited, as is every host but the first, so that nothing slow delays the others. Returns whether anything is
 * going on.
 * The records are read before the listing: a terminal opened in between is in the listing, and a session created in between is skipped.
 */
export async function sweep(ctx: Context, work: InFlight): Promise<"busy" | "quiet"> {
  const records = await activeRecords(ctx);
  const [first, ...others] = byPlace(ctx, records);
  for (const other of others) work.begin(`looking at ${other.host.place}`, () => sweepHost(ctx, { ...other, work }));
  const state = first === undefined ? "quiet" : await sweepHost(ctx, { ...first, work });
  return records.some((record) => isBusy(ctx, record)) ? "busy" : state;
}

interface Placed {
  readonly host: SessionHost;
  readonly records: readonly SessionRecord[];
}

/** Every host with active sessions, and the first of our own before all of them. */
function byPlace(ctx: Pick<Context, "host">, records: readonly SessionRecord[]): readonly Placed[] {
  const [first] = ctx.host.own;
  const places = new Map<string, Placed>(first === undefined ? [] : [[first.place, { host: first, records: [] }]]);
  for (const record of records) {
    if (record.pane === null) continue;
    const host = ctx.host.at(record.pane);
    places.set(host.place, { host, records: [...(places.get(host.place)?.records ?? []), record] });
  }
  return [...places.values()];
}

async function sweepHost(ctx: Context, { host, records, work }: Placed & { readonly work: InFlight }): Promise<"busy" | "quiet"> {
  const answer = await host.list();
  ctx.hookReports.silences.note(host.place, answer);
  const terminals = terminalsOf([{ host, answer }]);
  const seen = records.map((record) => ({ record, pane: record.pane === null ? undefined : terminals.at(record.pane) }));
  const live = seen.flatMap(({ record, pane }) => (pane && pane.exit === null ? [{ record, pane }] : []));
  const ended = seen.filter(({ pane }) => pane && pane.exit !== null);
  const gone = seen.flatMap(({ record, pane }) => (pane === null ? [record] : []));
  for (const { record } of ended) beginConclusion(ctx, { record, work });
  concludeGone(ctx, { gone, total: seen.length, work });
  work.begin(`the screens of ${host.place}`, () =>
    observeScreens(
      ctx,
      live.filter((one) => !rememberUnchanged(ctx, one)).map(({ record, pane }) => ({ record, identity: pane.identity })),
    ),
  );
  for (const one of live) work.begin(`note ${one.record.id}`, () => noteObservation(ctx, one));
  return ended.length > 0 ? "busy" : "quiet";
}

export async function activeRecords(ctx: Pick<Context, "store">): Promise<readonly SessionRecord[]> {
  const entries = await ctx.store.list();
  return entries.flatMap((entry): SessionRecord[] => (entry.kind === "session" && entry.record.state === "active" ? [entry.record] : []));
}

export function beginConclusion(ctx: Context, { record, work }: { readonly record: SessionRecord; readonly work: InFlight }): void {
  work.begin(`conclude ${record.id}`, () => concludeIfEnded(ctx, record.id));
}

/** Concludes the sessions whose terminals are missing from a look, as far as that is credible. */
export function concludeGone(
  ctx: Context,
  { gone, total, work }: { readonly gone: readonly SessionRecord[]; readonly total: number; readonly work: InFlight },
): void {
  const [first] = gone;
  if (first === undefined) {
    ctx.discovery.massLossGuard.end();
    return;
  }
  work.begin(`recovering terminals of ${first.pane?.socket}`, async () => {
    for (const record of await confirmedGone(ctx, { gone, total })) beginConclusion(ctx, { record, work });
  });
}

interface Live {
  readonly record: SessionRecord;
  readonly pane: PaneInfo;
}

/** An unchanged screen has the same meaning, unless its program was suspended or continued since. */
function rememberUnchanged(ctx: Context, { record, pane }: Live): boolean {
  const previous = ctx.observations.get(record.id);
  const settled = isSettled(ctx, pane);
  if (previous === undefined || !settled || !previous.settled) return false;
  if (previous.pane.activeAt !== pane.activeAt || previous.pane.foreground !== pane.foreground) return false;
  if ((suspended(ctx, pane) !== null) !== isSuspension(previous.reading)) return false;
  remember(ctx, { record, pane, reading: previous.reading, settled });
  return true;
}

function isSettled(ctx: Pick<Context, "clock">, pane: PaneInfo): boolean {
  return ctx.clock.now() / 1000 - pane.activeAt >= SETTLED_SECONDS;
}

/** A session and its terminal. */
export interface OnScreen {
  readonly record: SessionRecord;
  readonly identity: PaneIdentity;
}

/** A screen that cannot be read now is checked by the next sweep. */
export async function observeScreens(ctx: Context, shown: readonly OnScreen[]): Promise<void> {
  if (shown.length === 0) return;
  await ctx.recalled();
  const answers = await ctx.host.captureMany(shown.map(({ identity }) => identity));
  for (const [index, { record }] of shown.entries()) {
    const answer = answers[index];
    if (answer?.kind !== "present") continue;
    try {
      noteScreen(ctx, { record, adapter: agentOf(ctx, record) }, answer.value);
    } catch (error) {
      ctx.report({ doing: `reading the screen of session ${record.name}`, error });
    }
  }
}

function isBusy(ctx: Pick<Context, "observations" | "turns">, record: SessionRecord): boolean {
  const state = ctx.observations.get(record.id)?.activity.state;
  return state === "working" || state === "starting" || runningTurns(ctx.turns.lane(record.id)).length > 0;
}
