import type { Background } from "../background.js";
import type { Context } from "../context.js";
import { untilDone } from "../until-done.js";

export interface Recovery extends Background {
  isDone(): boolean;
  /** False when it was closed before. */
  readonly done: Promise<boolean>;
}

/** Recovers the sends of the last daemon, and retries during a resource shortage, until closed. */
export function startRecovery(ctx: Pick<Context, "clock" | "recovered" | "report">): Recovery {
  let closed = false;
  let isDone = false;
  let wake: () => void = () => undefined;
  const done = untilDone(ctx, {
    task: async () => {
      await ctx.recovered();
      isDone = true;
    },
    doing: "resuming deliveries",
    ended: () => closed,
    wait: (ms) => Promise.race([ctx.clock.sleep(ms), new Promise<void>((resolve) => (wake = resolve))]),
  });
  return {
    isDone: () => isDone,
    done,
    async close() {
      closed = true;
      wake();
      await done;
    },
  };
}
