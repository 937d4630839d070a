export interface RepeatsOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Maximum number of times the same message is logged per minute. */
  readonly most?: number;
}

/** Limits repeated messages, so that they do not fill the log. */
export interface Repeats {
  /** Whether to log it, and how often it was suppressed since it was last logged. */
  said(message: string): { readonly say: boolean; readonly unsaid: number };
}

const MINUTE_MS = 60_000;
const KNOWN = 1_000;

export function repeats({ now, most = 30 }: RepeatsOptions): Repeats {
  const heard = new Map<string, { sinceMs: number; said: number; unsaid: number }>();
  return {
    said(message) {
      const known = heard.get(message);
      if (known !== undefined && now() - known.sinceMs < MINUTE_MS) {
        const say = known.said < most;
        if (say) known.said += 1;
        else known.unsaid += 1;
        return { say, unsaid: 0 };
      }
      if (heard.size >= KNOWN) heard.clear();
      for (const [old, { sinceMs, unsaid }] of heard) {
        if (now() - sinceMs < MINUTE_MS) break;
        if (unsaid === 0) heard.delete(old);
      }
      heard.delete(message);
      heard.set(message, { sinceMs: now(), said: 1, unsaid: 0 });
      return { say: true, unsaid: known?.unsaid ?? 0 };
    },
  };
}
