import type { Answer, PaneInfo } from "@tmpm/core";

/** A host that does not answer, with the reason. */
export interface Silence {
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  readonly reason: string;
}

/** The hosts that do not answer now, by place. */
export interface Silences {
  note(place: string, answer: Answer<readonly PaneInfo[]>): void;
  of(place: string): Silence | null;
}

export function silences(now: () => number): Silences {
  const silent = new Map<string, Silence>();
  return {
    note(place, answer) {
      if (answer.kind !== "unknown") silent.delete(place);
      else silent.set(place, { sinceMs: silent.get(place)?.sinceMs ?? now(), reason: answer.error.message });
    },
    of: (place) => silent.get(place) ?? null,
  };
}
