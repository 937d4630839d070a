/** An agent's own hook reports about its prompt, as evidence for the sender. */
export interface HookEdges {
  /** A prompt went into execution. */
  promptSubmitted(session: string, taken: TakenPrompt): void;
  /** Whether a hook reported it at this time or later. */
  submittedSince(session: string, sinceMs: number): boolean;
  /** The first prompt entered at this time or later, in the agent's own words; null while unknown. */
  promptSince(session: string, sinceMs: number): string | null;
  /** Whether the hooks of this session have reported the text of a prompt before. */
  reportsPrompts(session: string): boolean;
  forget(session: string): void;
}

export interface TakenPrompt {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Null when the agent does not report it. */
  readonly prompt: string | null;
}

const KEPT = 4;

/** Only the latest edges of each session count. */
export function hookEdges(): HookEdges {
  const latest = new Map<string, readonly TakenPrompt[]>();
  const of = (session: string) => latest.get(session) ?? [];
  return {
    promptSubmitted: (session, taken) => void latest.set(session, [...of(session), taken].sort((a, b) => a.atMs - b.atMs).slice(-KEPT)),
    submittedSince: (session, sinceMs) => of(session).some(({ atMs }) => atMs >= sinceMs),
    promptSince: (session, sinceMs) => of(session).find(({ atMs, prompt }) => atMs >= sinceMs && prompt !== null)?.prompt ?? null,
    reportsPrompts: (session) => of(session).some(({ prompt }) => prompt !== null),
    forget: (session) => void latest.delete(session),
  };
}
