import { holdsPrompt } from "./holds-prompt.js";

/** An agent's own hook reports about its prompt, as evidence for the sender. */
export interface HookEdges {
  /** A prompt went into execution. */
  promptSubmitted(session: string, taken: TakenPrompt): void;
  /** Whether a hook reported the text at or after `sinceMs`. Without a text, or from an agent that does not report it, any prompt counts. */
  submittedSince(session: string, sent: SentText): boolean;
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

export interface SentText {
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  /** Null for a command, which the agent may replace. */
  readonly text: string | null;
}

const KEPT = 4;

/** Only the latest edges of each session count. */
export function hookEdges(): HookEdges {
  const latest = new Map<string, readonly TakenPrompt[]>();
  const of = (session: string) => latest.get(session) ?? [];
  return {
    promptSubmitted: (session, taken) => void latest.set(session, [...of(session), taken].sort((a, b) => a.atMs - b.atMs).slice(-KEPT)),
    submittedSince: (session, { sinceMs, text }) =>
      of(session).some(({ atMs, prompt }) => atMs >= sinceMs && (prompt === null || text === null || holdsPrompt(prompt, text))),
    promptSince: (session, sinceMs) => of(session).find(({ atMs, prompt }) => atMs >= sinceMs && prompt !== null)?.prompt ?? null,
    reportsPrompts: (session) => of(session).some(({ prompt }) => prompt !== null),
    forget: (session) => void latest.delete(session),
  };
}
