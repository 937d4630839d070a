import type { ServerEvent } from "@tmpm/tmux-driver";
import type { Context } from "./context.js";
import { reconcile } from "./operations/reconcile.js";
import { sweep } from "./sweep.js";

export interface Background {
  /** Resolves when no look is under way any more. Idempotent. */
  close(): Promise<void>;
}

/** Keeps what is believed of the sessions fresh: on every event of the server, and as a slow sweep that catches what no event told. */
export function background(ctx: Context): Background {
  let closed = false;
  let wake: () => void = () => undefined;
  let again = false;
  let missed = true;

  const lookSoon = () => {
    again = true;
    wake();
  };
  ctx.bell.onRing(lookSoon);
  const subscription = ctx.driver.watch((event: ServerEvent) => {
    if (event.type === "look") missed = true;
    lookSoon();
  });

  async function once(): Promise<number> {
    again = false;
    if (missed || (await interrupted(ctx))) {
      const found = await reconcile(ctx);
      missed = found.unobservable !== null;
    }
    const state = await sweep(ctx);
    return ctx.settings.sweepMs[state];
  }

  async function loop(): Promise<void> {
    while (!closed) {
      const pause = await once().catch((error: unknown) => {
        ctx.report({ doing: "looking at all sessions", error });
        return ctx.settings.sweepMs.quiet;
      });
      if (!again && !closed) await Promise.race([ctx.clock.sleep(pause), new Promise<void>((resolve) => (wake = resolve))]);
    }
  }

  const running = loop();
  return {
    async close() {
      closed = true;
      subscription.close();
      wake();
      await running;
    },
  };
}

/** A record whose operation neither finished nor is being worked on. */
async function interrupted(ctx: Context): Promise<boolean> {
  const entries = await ctx.store.list();
  return entries.some((entry) => entry.kind === "session" && entry.record.intent !== null && !ctx.queue.busy(entry.record.id));
}
