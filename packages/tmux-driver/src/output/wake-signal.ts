export interface WakeSignal {
  wake(): void;
  /** Resolves at the next signal, or at once after one since the last wait. */
  woken(): Promise<void>;
}

/** Signals without a waiter are remembered. */
export function wakeSignal(): WakeSignal {
  let isSet = false;
  let open: (() => void) | null = null;
  return {
    wake() {
      isSet = true;
      open?.();
    },
    async woken(): Promise<void> {
      if (!isSet) {
        await new Promise<void>((resolve) => {
          open = resolve;
        });
      }
      open = null;
      isSet = false;
    },
  };
}
