import type { SessionId, SessionRecord } from "@tmpm/core";
import type { Entry } from "@tmpm/store";
import type { Background } from "../background.js";
import type { Context } from "../context.js";
import { untilDone } from "../until-done.js";
import { reportBudgets } from "./budget.js";

/** Number of rounds between searches for new files; known files are checked in each round. */
const SELDOM = 10;
/** Likewise for one without output from its terminal since. */
const RARELY = 60;
/** Number of rounds between writes of counts, which are also written at the end of a turn: until then the agents' own files have them. */
const WRITTEN = 120;
/** Maximum number of ended sessions read in one round; the others come first in the next. */
const AT_ONCE = 25;
/** Maximum time for reading running ones without a pause, and that pause, in ms. */
const READ_MS = 100;
const PAUSE_MS = 20;

interface Listed {
  readonly entries: readonly Entry[];
  readonly running: ReadonlyMap<string, SessionRecord>;
  /** Ended, with usage that may not be counted yet. */
  readonly unread: SessionRecord[];
}

/** Counts sessions' usage from their agents' records, until closed; unwritten counts are then written. */
export function startUsage(ctx: Context): Background {
  let closed = false;
  let wake: () => void = () => undefined;
  let round = 0;
  const growing = new Set<SessionId>();
  /** Sessions that are due, in order, and whether to search for new files. */
  const due = new Map<SessionId, boolean>();
  /** Time of each terminal's last output at its last search for new files; null for an unobserved terminal. */
  const printed = new Map<string, number | null>();

  /** The end of each session whose usage until then is counted. */
  const ends = new Map<SessionId, string>();

  function isUnread(record: SessionRecord): boolean {
    if (record.state === "active" || record.state === "provisioning" || record.conversation_id === null) return false;
    const end = endOf(record);
    if (!ends.has(record.id) && (ctx.usage.registry.get(record.id)?.updated_at ?? "") > end) ends.set(record.id, end);
    return ends.get(record.id) !== end;
  }

  function look(record: SessionRecord): void {
    const { id } = record;
    const activeAt = ctx.observations.get(id)?.pane.activeAt ?? null;
    const seek = round % (activeAt !== null && printed.get(id) === activeAt ? RARELY : SELDOM) === 0;
    if (seek) printed.set(id, activeAt);
    if (seek || growing.has(id) || ctx.usage.reader.hasNews(record)) due.set(id, seek || due.get(id) === true);
  }

  async function read(record: SessionRecord): Promise<void> {
    const seek = due.get(record.id) ?? false;
    due.delete(record.id);
    const grew = await ctx.usage.reader.read(record, { seek });
    if (grew) await reportBudgets(ctx, record);
    if (grew) growing.add(record.id);
    else growing.delete(record.id);
  }

  /** What an agent recorded between the last round and its end, also while no daemon ran. */
  async function readEnd(record: SessionRecord): Promise<void> {
    // Set first: a failure is reported once.
    ends.set(record.id, endOf(record));
    while (await ctx.usage.reader.read(record, { seek: true }));
    ctx.usage.registry.write(record.id);
    await reportBudgets(ctx, record);
  }

  /** The sessions of the last round, filtered again only when they have changed. */
  let listed: Listed = { entries: [], running: new Map(), unread: [] };

  function sortOut(entries: readonly Entry[]): Listed {
    const all = entries.flatMap((entry) => (entry.kind === "session" ? [entry.record] : []));
    const running = new Map(all.flatMap((record) => (record.state === "active" ? [[record.id, record] as const] : [])));
    const existing = new Set(all.map(({ id }) => id));
    for (const id of ends.keys()) if (!existing.has(id)) ends.delete(id);
    for (const known of [due, printed]) for (const id of known.keys()) if (!running.has(id)) known.delete(id);
    return { entries, running, unread: all.filter((record) => isUnread(record)) };
  }

  /** Drops what is known of the files of other sessions. The end of an earlier conversation may still be uncounted. */
  function keepFollowed({ running, unread }: Listed): void {
    ctx.usage.reader.keepOnly(new Set([...running.keys(), ...unread.map(({ id }) => id)]));
  }

  function failed(record: SessionRecord, error: unknown): void {
    ctx.report({ doing: `counting what session ${record.name} uses`, error });
  }

  function lookAtAll(running: Listed["running"]): void {
    for (const record of running.values()) {
      try {
        look(record);
      } catch (error) {
        failed(record, error);
      }
    }
  }

  async function readDue(running: Listed["running"]): Promise<void> {
    const untilMs = ctx.clock.now() + READ_MS;
    for (const id of [...due.keys()]) {
      const record = running.get(id);
      if (record === undefined) due.delete(id);
      else await read(record).catch((error: unknown) => failed(record, error));
      if (ctx.clock.now() >= untilMs) return;
    }
  }

  async function once(): Promise<void> {
    const entries = await ctx.store.list();
    const isChanged = entries !== listed.entries;
    if (isChanged) listed = sortOut(entries);
    const { running, unread } = listed;
    const ended = unread.splice(0, AT_ONCE);
    for (const record of ended) await readEnd(record).catch((error: unknown) => failed(record, error));
    if (isChanged || ended.length > 0) keepFollowed(listed);
    if (ctx.settings.resumeAfterLimit.on)
      for (const record of running.values()) await ctx.usage.limitResumes.look(record).catch((error: unknown) => failed(record, error));
    lookAtAll(running);
    await readDue(running);
    if (round % WRITTEN === 0) ctx.usage.registry.write();
    round += 1;
  }

  const running = (async () => {
    const wait = (ms: number) => Promise.race([ctx.clock.sleep(ms), new Promise<void>((resolve) => (wake = resolve))]);
    await untilDone(ctx, { task: ctx.usage.loaded, doing: "reading what sessions used", ended: () => closed, wait });
    while (!closed) {
      await once().catch((error: unknown) => ctx.report({ doing: "counting what sessions use", error }));
      while (due.size > 0 && !closed) {
        await wait(PAUSE_MS);
        await readDue(listed.running);
      }
      if (!closed) await wait(ctx.settings.usageMs);
    }
  })();
  return {
    async close() {
      closed = true;
      wake();
      await running;
      ctx.usage.reader.keepOnly(new Set());
      ctx.usage.registry.write();
      await ctx.usage.registry.drained();
    },
  };
}

function endOf({ exit, updated_at }: SessionRecord): string {
  return exit?.at ?? updated_at;
}
