import { setTimeout as sleep } from "node:timers/promises";
import { type EventBody, isTmpmError, TmpmError, timestampFromMs } from "@tmpm/core";
import type { EventJournal, JournalEntry } from "@tmpm/store";
import { newestNumber } from "./newest-number.js";

/** Observed events on their way into the journal. */
export interface EventLog {
  /** Preserves call order, and never fails. */
  emit(event: EventBody): void;
  /** The failure of the last write; null when it succeeded. */
  failure(): TmpmError | null;
  /** Resolves when the events emitted so far are in the journal, or cannot be written at the moment. */
  written(): Promise<void>;
  /** Flushes and closes the journal. Later events are lost, and reported. */
  close(): Promise<void>;
}

export interface EventLogOptions {
  readonly journal: EventJournal;
  /** The project of a session; null when it is not known. */
  readonly projectOf: (sessionId: string) => Promise<string | null>;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  /** Wall clock in milliseconds. */
  readonly clock: () => number;
  /** Maximum number of events buffered while the journal cannot be written; further ones are dropped and counted. */
  readonly maxWaiting?: number;
  readonly retryMs?: number;
}

/** Maximum number of events written together. */
const BATCH = 256;
const PROJECTS_KEPT = 10_000;
const DOING = "writing the event journal";
/** Events after which a session rarely has others. */
const ENDS: ReadonlySet<EventBody["type"]> = new Set(["session_stopped", "session_exited", "session_removed", "session_deleted"] as const);

export function eventLog(options: EventLogOptions): EventLog {
  const { journal, projectOf, report, clock, maxWaiting = 10_000, retryMs = 1_000 } = options;
  const closing = new AbortController();
  const projects = new Map<string, string | null>();
  const waiting: EventBody[] = [];
  /** Events that a failed write may have left in the journal, in order. */
  let doubtful: readonly EventBody[] = [];
  /** The newest number in the journal; null until it is known. */
  let newest: number | null = null;
  let lost = 0;
  let failure: TmpmError | null = null;
  let draining: Promise<void> | null = null;
  let accepted = 0;
  const looks = new Set<() => void>();

  function emit(event: EventBody): void {
    if (closing.signal.aborted || waiting.length >= maxWaiting) {
      lose(1);
      return;
    }
    enqueue(event);
    draining ??= drain().catch((error: unknown) => report({ doing: DOING, error }));
  }

  function enqueue(event: EventBody): void {
    waiting.push(event);
    accepted += 1;
  }

  function lookAgain(): void {
    for (const look of looks) look();
  }

  function lose(count: number): void {
    if (lost === 0)
      report({ doing: DOING, error: new TmpmError("STORE_DEGRADED", "events are being lost", { cause: failure ?? undefined }) });
    lost += count;
  }

  async function drain(): Promise<void> {
    try {
      while (waiting.length > 0 || doubtful.length > 0) {
        if (doubtful.length > 0) await settleDoubtful();
        if (doubtful.length === 0) await drainSome();
        lookAgain();
        if (failure === null || (waiting.length === 0 && doubtful.length === 0)) continue;
        if (closing.signal.aborted) return;
        await sleep(retryMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      }
    } finally {
      draining = null;
      lookAgain();
    }
  }

  async function drainSome(): Promise<void> {
    const batch = waiting.slice(0, failure === null ? BATCH : 1);
    const stamped: EventBody[] = [];
    for (const event of batch) stamped.push(await withProject(event));
    const errors = await append(stamped);
    waiting.splice(0, batch.length, ...batch.filter((_, index) => isWorthRetrying(errors[index])));
    doubtful = stamped.filter((_, index) => isDoubtful(errors[index]));
    settle(errors);
  }

  /** The error of each event; undefined for written ones. */
  async function append(events: readonly EventBody[]): Promise<readonly unknown[]> {
    newest ??= await newestNumber(journal);
    const results = await Promise.allSettled(events.map((event) => journal.append(event)));
    for (const result of results) if (result.status === "fulfilled") newest = result.value.seq;
    for (const { type, session_id } of events) if (session_id !== null && ENDS.has(type)) projects.delete(session_id);
    return results.map((result) => (result.status === "rejected" ? result.reason : undefined));
  }

  /** Once the journal can be opened again: the doubtful events missing in it are written first, or lost if that cannot be determined. */
  async function settleDoubtful(): Promise<void> {
    try {
      const page = newest === null ? null : await journal.read({ after: newest, limit: doubtful.length });
      if (newest === null || page?.kind !== "events") lose(doubtful.length);
      else {
        const written = doubtful.findIndex((event, index) => !isEntryOf(event, page.entries[index]));
        const count = written < 0 ? doubtful.length : written;
        newest += count;
        waiting.unshift(...doubtful.slice(count));
      }
      doubtful = [];
    } catch (error) {
      if (!isJournalFailure(error)) throw error;
      settle([error]);
    }
  }

  function settle(errors: readonly unknown[]): void {
    for (const error of errors) if (error !== undefined && !isJournalFailure(error)) report({ doing: DOING, error });
    const failed = errors.find(isJournalFailure);
    if (failed !== undefined && failure === null) report({ doing: DOING, error: failed });
    failure = failed ?? null;
    if (failure === null && lost > 0) reportLost();
  }

  function reportLost(): void {
    const event: EventBody = { type: "events_lost", at: timestampFromMs(clock()), session_id: null, count: lost };
    lost = 0;
    enqueue(event);
  }

  async function withProject(event: EventBody): Promise<EventBody> {
    if (event.session_id === null || event.project_id !== undefined) return event;
    const known = projects.get(event.session_id);
    const project = known === undefined ? await lookUp(event.session_id) : known;
    return project === null ? event : { ...event, project_id: project };
  }

  async function lookUp(sessionId: string): Promise<string | null> {
    const project = await projectOf(sessionId).catch(whenKnown);
    if (projects.size >= PROJECTS_KEPT) projects.clear();
    if (project !== null) projects.set(sessionId, project);
    return project;
  }

  return {
    emit,
    failure: () => failure,
    written() {
      const goal = accepted;
      return new Promise<void>((resolve) => {
        const look = () => {
          const isWritten = accepted - waiting.length - doubtful.length >= goal;
          if (!isWritten && failure === null && draining !== null) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        look();
      });
    },
    async close() {
      closing.abort();
      await draining;
      const left = waiting.length + doubtful.length;
      if (left > 0) report({ doing: DOING, error: new TmpmError("STORE_DEGRADED", `${left} events are lost`) });
      await journal.close();
    },
  };
}

/** An event without its filter fields is better than none. */
function whenKnown(error: unknown): null {
  if (isTmpmError(error)) return null;
  throw error;
}

/** A failure of the journal rather than of the event. */
function isJournalFailure(error: unknown): error is TmpmError {
  return isTmpmError(error) && error.code !== "INVALID_ARGUMENT";
}

function isWorthRetrying(error: unknown): boolean {
  return isJournalFailure(error) && error.effect === "none";
}

/** Events that may have been written are looked up first, to avoid duplicates. */
function isDoubtful(error: unknown): boolean {
  return isJournalFailure(error) && error.effect === "unknown";
}

/** Only this process writes to the journal, so the number and these fields identify the event. */
function isEntryOf({ type, at, session_id }: EventBody, entry: JournalEntry | undefined): boolean {
  return entry?.kind === "event" && entry.event.type === type && entry.event.at === at && entry.event.session_id === session_id;
}
