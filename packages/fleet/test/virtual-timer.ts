import type { Timer } from "../src/timer.js";

interface Planned {
  readonly at: number;
  readonly act: () => void;
  readonly everyMs: number | null;
}

/** A manual clock. */
export function virtualTimer({ wallOffset = 1_700_000_000_000 }: { readonly wallOffset?: number } = {}) {
  const planned = new Set<Planned>();
  let now = 0;

  function plan(ms: number, { act, everyMs }: Omit<Planned, "at">): () => void {
    const entry: { current: Planned } = { current: { at: now + ms, act, everyMs } };
    const again = () => {
      act();
      if (everyMs === null || !planned.has(entry.current)) return;
      planned.delete(entry.current);
      entry.current = { at: entry.current.at + everyMs, act: again, everyMs };
      planned.add(entry.current);
    };
    entry.current = { at: now + ms, act: again, everyMs };
    planned.add(entry.current);
    return () => void planned.delete(entry.current);
  }

  const timer: Timer = {
    now: () => now,
    wall: () => wallOffset + now,
    after: (ms, act) => plan(ms, { act, everyMs: null }),
    every: (ms, act) => plan(ms, { act, everyMs: ms }),
  };

  return {
    ...timer,
    /** Advances the time, and delivers messages sent meanwhile. */
    async pass(ms: number): Promise<void> {
      const until = now + ms;
      await settled();
      for (;;) {
        const at = Math.min(...[...planned].map((each) => each.at));
        if (at > until) break;
        now = at;
        // Like an event loop: everything that is due, then what follows from it.
        for (const each of [...planned].filter((due) => due.at === at)) {
          if (!planned.has(each)) continue;
          if (each.everyMs === null) planned.delete(each);
          each.act();
        }
        await settled();
      }
      now = until;
      await settled();
    },
  };
}

/** All consequences of past events have happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
