/** What an agent's own hooks said to have happened to its prompt, as evidence for whoever sent it. */
export interface HookEdges {
  /** A prompt went into execution at this moment, in milliseconds since 1970. */
  promptSubmitted(session: string, atMs: number): void;
  /** Whether a hook said so at this moment or later. */
  submittedSince(session: string, sinceMs: number): boolean;
  forget(session: string): void;
}

/** Only the latest edge of each session counts. */
export function hookEdges(): HookEdges {
  const latest = new Map<string, number>();
  return {
    promptSubmitted: (session, atMs) => void latest.set(session, Math.max(atMs, latest.get(session) ?? 0)),
    submittedSince: (session, sinceMs) => (latest.get(session) ?? Number.NEGATIVE_INFINITY) >= sinceMs,
    forget: (session) => void latest.delete(session),
  };
}
