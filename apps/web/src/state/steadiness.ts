export interface SteadinessOptions {
  /** Runs a function after the given number of ms; returns its cancellation. */
  readonly later: (run: () => void, ms: number) => () => void;
  readonly onChange: (isSteady: boolean) => void;
}

export interface Steadiness {
  /** Reports the current place, as a text that differs when the place does. */
  placed(at: string): void;
  stop(): void;
}

/** Longer than the time between a decision to press and the press. */
const SETTLING_MS = 600;

/** Whether something has stayed in one place for a while. It has not at first. */
export function steadiness({ later, onChange }: SteadinessOptions): Steadiness {
  let last: string | null = null;
  let stop: () => void = () => undefined;
  return {
    placed(at) {
      if (at === last) return;
      last = at;
      stop();
      onChange(false);
      stop = later(() => onChange(true), SETTLING_MS);
    },
    stop: () => stop(),
  };
}
