import { TmpmError } from "@tmpm/core";

export interface LaneOptions {
  /** Maximum number in progress. */
  readonly atOnce: number;
  /** Maximum number waiting; further requests are refused at once. */
  readonly waiting: number;
}

/** A bounded pool of places with a queue. */
export interface Lane {
  /** Takes a free place; returns its release, as `enter` does, or null if there is none. */
  take(): (() => void) | null;
  /** Resolves with the place's release, which is idempotent. @throws OVERLOADED; the signal's reason */
  enter(signal: AbortSignal): Promise<() => void>;
  counts(): { readonly active: number; readonly waiting: number };
}

const RETRY_SECONDS = 1;

export function lane({ atOnce, waiting }: LaneOptions): Lane {
  const queue = new Set<() => void>();
  let active = 0;

  function take(): () => void {
    active += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      active -= 1;
      const [next] = queue;
      next?.();
    };
  }

  function wait(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.delete(come);
        reject(signal.reason);
      };
      const come = () => {
        queue.delete(come);
        signal.removeEventListener("abort", leave);
        resolve(take());
      };
      signal.addEventListener("abort", leave, { once: true });
      queue.add(come);
    });
  }

  const takeFree = () => (active < atOnce ? take() : null);

  return {
    take: takeFree,
    async enter(signal) {
      signal.throwIfAborted();
      const free = takeFree();
      if (free !== null) return free;
      if (queue.size < waiting) return wait(signal);
      throw overloaded({ atOnce, waiting });
    },
    counts: () => ({ active, waiting: queue.size }),
  };
}

export function overloaded(limit: Readonly<Record<string, number>>): TmpmError {
  return new TmpmError("OVERLOADED", "the daemon is overloaded", {
    hint: "Nothing was done. Try again in a moment.",
    details: { retry_after_s: RETRY_SECONDS, ...limit },
  });
}
