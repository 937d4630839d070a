import { isTerminal, type ServerEvent } from "@tmpm/core";
import type { Context } from "./context.js";
import { followOtherWriters } from "./discovery/other-writers.js";
import { stopLeftBehind } from "./grants/cascade.js";
import { followConversation } from "./hooks/follow-conversation.js";
import { nextResumption, resumeDue } from "./housekeeping/auto-resume.js";
import { housekeep, housekeeping } from "./housekeeping/housekeeping.js";
import { concludeIfEnded } from "./observe/conclude.js";
import { followEdge } from "./observe/follow-edge.js";
import { type InFlight, inFlight } from "./observe/in-flight.js";
import { observeClosely } from "./observe/observe-closely.js";
import { activeRecords, concludeGone, sweep } from "./observe/sweep.js";
import { discover } from "./operations/discover.js";
import { reconcile } from "./operations/reconcile.js";

export interface Background {
  /** Resolves when no look is under way. Idempotent. */
  close(): Promise<void>;
}

/** Simultaneous changes are checked together. */
const TOGETHER_MS = 50;
const RECONCILING = "reconciling";

/**
 * Keeps the beliefs about sessions current: at once on every event of a host, and by a slow sweep for missed ones. Work for one session is
 * never awaited here.
 */
export function background(ctx: Context): Background {
  const work = inFlight(({ key, error }) => ctx.report({ doing: key, error }));
  let closed = false;
  let wake: () => void = () => undefined;
  let again = false;
  let missed = true;

  const observeSoon = () => {
    again = true;
    wake();
  };
  ctx.requests.sweep.add(observeSoon);
  ctx.requests.observe.add((id) => work.begin(`following the hooks of ${id}`, () => followEdge(ctx, { id, ended: () => closed })));
  const closing = closings(ctx, work);
  const keepHouse = housekeeping(ctx, () => housekeep(ctx));
  const hear = (event: ServerEvent) => {
    if (event.type === "exited" && event.sessionId !== null) concludeSoon(ctx, { id: event.sessionId, work });
    if (event.type === "closed" && event.sessionId !== null) closing.add(event.sessionId);
    if (event.type === "look" || (event.type === "opened" && event.sessionId === null)) missed = true;
    observeSoon();
  };
  const observeAll = () => {
    missed = true;
    observeSoon();
  };
  const others = ctx.settings.sharedStore ? [followOtherWriters(ctx, observeAll)] : [];
  const subscriptions = ctx.host.own.flatMap((host) => [host.watch(hear), ...followConversation(ctx, host)]);

  async function once(): Promise<number> {
    again = false;
    const wanted = missed || (await interrupted(ctx));
    if (wanted && !work.has(RECONCILING)) {
      missed = false;
      work.begin(RECONCILING, async () => {
        const { unobservable } = await reconcile(ctx);
        missed ||= unobservable.some(({ socket }) => ctx.host.own.some(({ place }) => place === socket));
      });
    }
    const state = await sweep(ctx, work);
    work.begin("looking closely", () => observeClosely(ctx, { ended: () => closed }));
    work.begin("retrying deferred writes", ctx.store.flush);
    work.begin("retrying outcomes of turns", ctx.turns.flush);
    work.begin("retrying outcomes of sends", ctx.sends.flush);
    await resumeDue(ctx, work);
    work.begin("housekeeping", keepHouse);
    work.begin("stopping orphaned child sessions", () => stopLeftBehind(ctx));
    work.begin("discovering", () => discoverAtTimes(ctx));
    return Math.min(ctx.settings.sweepMs[state], await nextResumption(ctx));
  }

  async function loop(): Promise<void> {
    while (!closed) {
      const pause = await once().catch((error: unknown) => {
        ctx.report({ doing: "observing all sessions", error });
        return ctx.settings.sweepMs.quiet;
      });
      if (closed) return;
      if (!again) await Promise.race([ctx.clock.sleep(pause), new Promise<void>((resolve) => (wake = resolve))]);
      if (!closed) await ctx.clock.sleep(TOGETHER_MS);
    }
  }

  const running = loop();
  return {
    async close() {
      closed = true;
      for (const subscription of [...subscriptions, ...others]) subscription.close();
      wake();
      await running;
      await work.idle();
    },
  };
}

function concludeSoon(ctx: Context, { id, work }: { readonly id: string; readonly work: InFlight }): void {
  work.begin(`conclude ${id}`, async () => {
    const entry = await ctx.store.get(id);
    if (entry?.kind === "session" && !isTerminal(entry.record)) await concludeIfEnded(ctx, id);
  });
}

/** Collects terminals that closed at the same time: if they are many, the observation is suspected. */
function closings(ctx: Context, work: InFlight) {
  const ids = new Set<string>();
  async function flush(): Promise<void> {
    const closed = new Set(ids);
    ids.clear();
    const records = await activeRecords(ctx);
    for (const host of ctx.host.own) {
      const own = records.filter(({ pane }) => pane !== null && host.holds(pane.socket));
      const gone = own.filter(({ id }) => closed.has(id));
      if (gone.length > 0) concludeGone(ctx, { gone, total: own.length, work });
    }
  }
  return {
    add(id: string) {
      if (ids.size === 0)
        setImmediate(() => void flush().catch((error: unknown) => ctx.report({ doing: "handling closed terminals", error })));
      ids.add(id);
    },
  };
}

/** A record with an unfinished operation that is not being worked on. */
async function interrupted(ctx: Pick<Context, "queue" | "store">): Promise<boolean> {
  const entries = await ctx.store.list();
  return entries.some((entry) => entry.kind === "session" && entry.record.intent !== null && !ctx.queue.busy(entry.record.id));
}

async function discoverAtTimes(ctx: Context): Promise<void> {
  if (ctx.clock.now() - ctx.discovery.before.at() < ctx.settings.discoverMs) return;
  await discover(ctx, {});
}
