import type { Background } from "../background.js";
import type { Context } from "../context.js";
import { watchPullRequests } from "./watch-pull-requests.js";

/** Queries watched pull requests when they are due, from the recovery until closed. While none is watched, it sleeps until a new watch. */
export function startWatchingPullRequests(ctx: Context, recovered: Promise<boolean>): Background {
  let closed = false;
  let again = false;
  let wake: () => void = () => undefined;
  ctx.pullRequests.requests.add(() => {
    again = true;
    wake();
  });
  const running = (async () => {
    if (!(await recovered)) return;
    while (!closed) {
      again = false;
      const nextMs = await watchPullRequests(ctx).then(
        (round) => round.nextMs,
        (error: unknown) => {
          ctx.report({ doing: "looking at pull requests", error });
          return ctx.settings.pullRequestMs;
        },
      );
      if (closed || again) continue;
      const woken = new Promise<void>((resolve) => (wake = resolve));
      await (nextMs === null ? woken : Promise.race([woken, ctx.clock.sleep(Math.max(1_000, nextMs))]));
    }
  })();
  return {
    async close() {
      closed = true;
      wake();
      await running;
    },
  };
}
