import type { Turn } from "@tmpm/core";
import { sliceOf, TURNS_KEPT, type TurnJournal } from "./turn-journal.js";

/** A turn journal in memory, for tests: it passes the same contract and fails on demand. */
export interface MemoryTurns extends TurnJournal {
  /** The next `keep` stores nothing and rejects with `error`. */
  failNext(error: Error): void;
}

export function memoryTurns({ kept = TURNS_KEPT }: { readonly kept?: number } = {}): MemoryTurns {
  const sessions = new Map<string, Map<string, Turn>>();
  const failures: Error[] = [];
  const of = (session: string) => [...(sessions.get(session)?.values() ?? [])].toSorted((a, b) => a.generation - b.generation);
  const isOpen = ({ state }: Turn) => state !== "ended";

  return {
    failNext: (error) => void failures.push(error),
    async keep(turn) {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      const known = sessions.get(turn.session_id) ?? new Map<string, Turn>();
      const before = known.get(turn.id);
      if (before !== undefined && !isOpen(before)) return;
      sessions.set(turn.session_id, known.set(turn.id, turn));
      const ended = of(turn.session_id).filter((each) => !isOpen(each));
      for (const old of ended.slice(0, Math.max(0, ended.length - kept))) known.delete(old.id);
    },
    get: async (session, id) => sessions.get(session)?.get(id) ?? null,
    list: async (session, slice = {}) => sliceOf(of(session), slice),
    lastGeneration: async (session) => of(session).at(-1)?.generation ?? 0,
    open: async () => [...sessions.keys()].flatMap((session) => of(session).filter(isOpen)),
    forget: async (session) => void sessions.delete(session),
    close: async () => undefined,
  };
}
