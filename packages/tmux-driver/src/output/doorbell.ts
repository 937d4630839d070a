export interface Doorbell {
  ring(): void;
  /** Resolves at the next ring, or at once when it rang since the last time. */
  rung(): Promise<void>;
}

/** Rings without a waiter are not forgotten. */
export function doorbell(): Doorbell {
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
