import { timestampFromMs } from "@tmpm/core";

/** Why a report was not accepted. The first two are refused: no authorized agent sends them. */
export type Refusal = "unknown_session" | "wrong_token" | "other_conversation" | "not_running" | "not_understood";

/** Counts of agents' reports since the daemon started. */
export interface HookCounts {
  readonly taken: number;
  readonly refused: Readonly<Partial<Record<Refusal, number>>>;
  readonly last_refused_at: string | null;
}

export interface Refusals {
  took(): void;
  refuse(why: Refusal, atMs: number): void;
  counts(): HookCounts;
}

export function refusals(): Refusals {
  const refused = new Map<Refusal, number>();
  let taken = 0;
  let last: string | null = null;
  return {
    took() {
      taken += 1;
    },
    refuse(why, atMs) {
      refused.set(why, (refused.get(why) ?? 0) + 1);
      last = timestampFromMs(atMs);
    },
    counts: () => ({ taken, refused: Object.fromEntries(refused), last_refused_at: last }),
  };
}
