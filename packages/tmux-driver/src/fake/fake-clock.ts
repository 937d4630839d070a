/** Virtual time: `now` is the given clock's plus the advanced time. Tasks run when due, in order. */
export interface FakeClock {
  now(): number;
  /** Returns a function that cancels the task. */
  after(ms: number, task: () => void): () => void;
  advance(ms: number): void;
  /** Runs tasks due by the given clock. */
  runDue(): void;
}

interface Timer {
  readonly at: number;
  readonly task: () => void;
}

export function fakeClock(base: { now(): number }): FakeClock {
  let offset = 0;
  const timers = new Set<Timer>();
  const now = () => base.now() + offset;
  const nextDue = (limit: number) => [...timers].filter(({ at }) => at <= limit).sort((a, b) => a.at - b.at)[0];
  const runUntil = (limit: number) => {
    for (let timer = nextDue(limit); timer !== undefined; timer = nextDue(limit)) {
      timers.delete(timer);
      offset = Math.max(offset, timer.at - base.now());
      timer.task();
    }
  };
  return {
    now,
    after(ms, task) {
      const timer = { at: now() + ms, task };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const target = now() + ms;
      runUntil(target);
      offset = Math.max(offset, target - base.now());
    },
    runDue: () => runUntil(now()),
  };
}
