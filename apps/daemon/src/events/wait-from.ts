import { setImmediate } from "node:timers/promises";
import { hasCode, isTmpmError, msFromTimestamp, TmpmError } from "@tmpm/core";
import type { EventJournal, JournalEntry } from "@tmpm/store";
import { type SessionFacts, STEADY_MS, type WaitManyInput, type WaitTarget } from "@tmpm/supervisor";
import { newestNumber } from "./newest-number.js";

export interface WaitPorts {
  readonly waitMany: (input: WaitManyInput) => Promise<readonly SessionFacts[]>;
  readonly journal: Pick<EventJournal, "read">;
  /** Resolves when the events emitted so far are in the journal, or cannot be written at the moment. */
  readonly written: () => Promise<void>;
}

export interface WaitFrom extends Omit<WaitManyInput, "before"> {
  /** The number of the last event that the caller knows; states reached since then count. */
  readonly after?: number | undefined;
}

const PAGE = 1_000;

/** Waits for several sessions. @throws TIMEOUT, with `details.after` from which the next wait misses no state; and the errors of `waitMany` */
export async function waitFrom({ waitMany, journal, written }: WaitPorts, { after, ...input }: WaitFrom): Promise<readonly SessionFacts[]> {
  const targets = [input.until].flat();
  const began = await newestNumber(journal);
  const from = after ?? began;
  let next = from;
  const before = async (ids: readonly string[]) => {
    await written();
    try {
      const passed = await passedSince(journal, { after: from ?? 0, ids: new Set(ids), targets });
      // If one session is enough, nothing before this wait is needed again.
      if (input.mode === "any") next = began ?? from;
      return passed;
    } catch (error) {
      if (isTmpmError(error)) return new Set<string>();
      throw error;
    }
  };
  try {
    return await waitMany(after === undefined ? input : { ...input, before });
  } catch (error) {
    if (!hasCode(error, "TIMEOUT") || next === null) throw error;
    const { code, message, hint, details } = error;
    throw new TmpmError(code, message, { ...(hint === null ? {} : { hint }), details: { ...details, after: next } });
  }
}

interface Wanted {
  readonly after: number;
  readonly ids: ReadonlySet<string>;
  readonly targets: readonly WaitTarget[];
}

/** The sessions that were in one of the states after the event, if only for a moment. Expired events are unknown. */
async function passedSince(journal: WaitPorts["journal"], { after, ids, targets }: Wanted): Promise<ReadonlySet<string>> {
  const passed = new Set<string>();
  const idleSince = new Map<string, number>();
  const take = (entry: JournalEntry) => {
    if (entry.kind !== "event" || entry.event.session_id === null || !ids.has(entry.event.session_id)) return;
    const { event } = entry;
    const id = entry.event.session_id;
    if (event.type === "question_asked" && targets.includes("question")) passed.add(id);
    if (event.type !== "session_activity_changed") return;
    const at = msFromTimestamp(event.at);
    const sinceMs = idleSince.get(id);
    idleSince.delete(id);
    if (sinceMs !== undefined && at - sinceMs >= STEADY_MS) passed.add(id);
    const { state } = event.activity;
    if (!targets.some((target) => target === state)) return;
    if (state === "idle") idleSince.set(id, at);
    else passed.add(id);
  };
  for (let last = after; ; ) {
    const page = await journal.read({ after: last, limit: PAGE });
    if (page.kind === "behind") {
      if (page.oldest <= last) return passed;
      last = page.oldest;
      continue;
    }
    page.entries.forEach(take);
    const final = page.entries.at(-1);
    if (final === undefined) return passed;
    last = final.seq;
    // Parsing an old part of the journal is slow; other requests run in between.
    await setImmediate();
  }
}
