import { type Effect, TmpmError } from "@tmpm/core";

/** Calls back after a time, unless cancelled before. Injected, like the clock. */
export type Alarm = (ms: number, ring: () => void) => { cancel(): void };

export const systemAlarm: Alarm = (ms, ring) => {
  const timer = setTimeout(ring, ms);
  return { cancel: () => clearTimeout(timer) };
};

export interface Limit {
  readonly alarm: Alarm;
  readonly ms: number;
  /** The current action, as part of a sentence. */
  readonly doing: string;
  /** Whether it may still happen after its deadline. */
  readonly effect: Effect;
}

/** The task's result, awaited only up to the deadline. @throws UNRESPONSIVE, and the task's error in time */
export async function within<T>({ alarm, ms, doing, effect }: Limit, task: () => Promise<T>): Promise<T> {
  let ringing: ReturnType<Alarm> | undefined;
  const late = new Promise<never>((_, reject) => {
    ringing = alarm(ms, () =>
      reject(
        new TmpmError("UNRESPONSIVE", `${doing} took longer than ${ms / 1000} s`, {
          effect,
          hint: "A program or a remote disk is not responding. Try again once it does.",
          details: { doing, timeout_ms: ms },
        }),
      ),
    );
  });
  try {
    return await Promise.race([task(), late]);
  } finally {
    ringing?.cancel();
  }
}
