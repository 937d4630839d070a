import type { SessionRecord } from "@tmpm/core";
import type { Background } from "../background.js";
import type { Context } from "../context.js";
import { believedActivity } from "../looks/observations.js";
import { reportBudgets } from "./budget.js";

/** A session at rest is looked at in every so many rounds, and files that are new are looked for as often. */
const SELDOM = 10;
/** The same for one whose terminal has printed nothing since. */
const RARELY = 60;
/** What was counted is written down in every so many rounds, and when a turn ends: until then the agents' own files hold it, from where they were read up to. */
const WRITTEN = 120;
/** Sessions that are read in one round at most; the others are the first of the next. */
const AT_ONCE = 25;

/** Counts what the sessions use as their agents write it down, until closed; what is not written yet is written then. */
export function startUsage(ctx: Context): Background {
  let closed = false;
  let wake: () => void = () => undefined;
  let round = 0;
  const growing = new Set<string>();
  /** Sessions whose turn has come, the first first, and whether files are looked for that are new. */
  const due = new Map<string, boolean>();
  /** When each one's terminal had printed last when its new files were looked for; null for a terminal that was not observed. */
  const printed = new Map<string, number | null>();

  async function look(record: SessionRecord): Promise<void> {
    await ctx.limitResumes.look(record);
    const known = ctx.observations.known(record.id);
    const { state } = believedActivity(record, { known, nowMs: ctx.clock.now(), beliefMs: ctx.settings.beliefMs });
    const activeAt = ctx.observations.get(record.id)?.pane.activeAt ?? null;
    const seldom = round % (activeAt !== null && printed.get(record.id) === activeAt ? RARELY : SELDOM) === 0;
    if (seldom) printed.set(record.id, activeAt);
    if (seldom || growing.has(record.id) || state === "working" || state === "starting")
      due.set(record.id, seldom || due.get(record.id) === true);
  }

  async function read(record: SessionRecord): Promise<void> {
    const seek = due.get(record.id) ?? false;
    due.delete(record.id);
    const grew = await ctx.usageReader.read(record, { seek });
    if (grew) await reportBudgets(ctx, record);
    if (grew) growing.add(record.id);
    else growing.delete(record.id);
  }

  async function once(): Promise<void> {
    const entries = await ctx.store.list();
    const records = entries.flatMap((entry) => (entry.kind === "session" && entry.record.state === "active" ? [entry.record] : []));
    ctx.usageReader.keepOnly(new Set(records.map(({ id }) => id)));
    const byId = new Map(records.map((record) => [record.id, record]));
    const each = async (record: SessionRecord, work: (record: SessionRecord) => Promise<void>) =>
      work(record).catch((error: unknown) => ctx.report({ doing: `counting what session ${record.name} uses`, error }));
    for (const record of records) await each(record, look);
    for (const known of [due, printed]) for (const id of known.keys()) if (!byId.has(id)) known.delete(id);
    for (const id of [...due.keys()].slice(0, AT_ONCE)) {
      const record = byId.get(id);
      if (record !== undefined) await each(record, read);
    }
    if (round % WRITTEN === 0) ctx.usage.write();
    round += 1;
  }

  const running = (async () => {
    await ctx.usageLoaded();
    while (!closed) {
      await once().catch((error: unknown) => ctx.report({ doing: "counting what sessions use", error }));
      if (!closed) await Promise.race([ctx.clock.sleep(ctx.settings.usageMs), new Promise<void>((resolve) => (wake = resolve))]);
    }
  })();
  return {
    async close() {
      closed = true;
      wake();
      await running;
      ctx.usage.write();
      await ctx.usage.drained();
    },
  };
}
