export interface WakeSignal {
  ring(): void;
  /** Resolves at the next signal, or at once after one since the last wait. */
  rung(): Promise<void>;
}

/** Signals without a waiter are remembered. */
export function wakeSignal(): WakeSignal {
  let rang = false;
  let open: (() => void) | null = null;
  return {
    ring() {
      rang = true;
      open?.();
    },
    async rung(): Promise<void> {
      if (!rang) {
        await new Promise<void>((resolve) => {
          open = resolve;
        });
      }
      open = null;
      rang = false;
    },
  };
}
