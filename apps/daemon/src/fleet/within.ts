import type { Timer } from "@tmpm/fleet";

export interface AwaitedWork {
  readonly timer: Pick<Timer, "after">;
  readonly work: Promise<unknown>;
}

/** Waits at most `ms` for work that goes on after it, whether it succeeds or not. */
export async function within(ms: number, { timer, work }: AwaitedWork): Promise<void> {
  const settled = work.then(
    () => undefined,
    () => undefined,
  );
  if (ms <= 0) return;
  let stop: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    stop = timer.after(ms, resolve);
  });
  await Promise.race([settled, over]);
  stop();
}
