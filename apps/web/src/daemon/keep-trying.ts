import { isTmpmError } from "@tmpm/core/errors";

export interface KeepTryingOptions {
  /** Whether another try is worthwhile. */
  readonly isWanted: () => boolean;
  /** Resolves after the given number of ms. */
  readonly pause: (ms: number) => Promise<void>;
}

const LONGEST_MS = 8_000;

/** Makes a request until it is answered, with growing pauses. Resolves to its answer; null once it is not wanted any more. */
export async function keepTrying<T>(request: () => Promise<T>, { isWanted, pause }: KeepTryingOptions): Promise<T | null> {
  for (let ms = 500; isWanted(); ms = Math.min(2 * ms, LONGEST_MS)) {
    try {
      return await request();
    } catch (error) {
      if (!isTmpmError(error)) throw error;
    }
    await pause(ms);
  }
  return null;
}
