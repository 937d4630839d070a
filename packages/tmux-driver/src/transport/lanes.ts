export interface Lanes {
  /**
   * Runs the task when a lane is free; `null` when `patience`, the time to wait in milliseconds, is over. It is a function, because it may
   * grow.
   */
  run<T>(task: () => Promise<T>, patience: () => number): Promise<T | null>;
  /** Likewise without a limit. */
  inTurn<T>(task: () => Promise<T>): Promise<T>;
}

/** Delay before checking again. */
const A_WHILE_MS = 60_000;

/** Runs at most `width` tasks at once, in order. */
export function lanes(width: number): Lanes {
  let free = width;
  const waiting = new Set<() => void>();
  const enter = (patience: () => number) =>
    new Promise<boolean>((resolve) => {
      let timer: NodeJS.Timeout;
      const proceed = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const wait = () => {
        const left = patience();
        if (left > 0) timer = setTimeout(wait, left);
        else if (waiting.delete(proceed)) resolve(false);
      };
      waiting.add(proceed);
      wait();
    });
  const leave = () => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else if (waiting.delete(next)) next();
  };
  const perform = async <T>(task: () => Promise<T>) => {
    try {
      return await task();
    } finally {
      leave();
    }
  };
  return {
    async run(task, patience) {
      if (free > 0) free -= 1;
      else if (!(await enter(patience))) return null;
      return perform(task);
    },
    async inTurn(task) {
      if (free > 0) free -= 1;
      else await enter(() => A_WHILE_MS);
      return perform(task);
    },
  };
}
