import type { Context } from "./context.js";
import { evict } from "./evict.js";
import { reapEphemeral } from "./reap-ephemeral.js";

/** After a pause of so many rounds the clock is not believed until the next one: it may have jumped, and what is taken away does not come back. */
const MOST_ROUNDS = 10;

/** What is done once in a while, unasked: call it as often as you like. The first round comes one interval after the start. */
export function housekeeping(ctx: Context): () => Promise<void> {
  let last = ctx.clock.now();
  return async () => {
    const { housekeepingMs } = ctx.settings;
    const passed = ctx.clock.now() - last;
    if (passed >= 0 && passed < housekeepingMs) return;
    last = ctx.clock.now();
    if (passed < 0 || passed > MOST_ROUNDS * housekeepingMs) return;
    await reapEphemeral(ctx);
    await evict(ctx);
  };
}
