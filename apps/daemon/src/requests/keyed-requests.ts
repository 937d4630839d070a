import { fromErrorBody, hasCode, isTmpmError, onceDone, TmpmError, timestampFromMs } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";
import * as z from "zod";
import type { Answer } from "./answer.js";
import { ErrorBody, errorBody } from "./error-body.js";

/** The stored form of a request with a key. Without `answer` and `failure` it never finished. */
export const KeyedRequest = z.object({
  schema_version: z.literal(1),
  key: z.string(),
  route: z.string(),
  digest: z.string(),
  /** The id of its created resource, if any. */
  id: z.uuid(),
  at_ms: z.number(),
  answer: z.object({ status: z.number(), headers: z.record(z.string(), z.string()), body: z.string() }).nullable(),
  failure: ErrorBody.nullable(),
});
export type KeyedRequest = z.infer<typeof KeyedRequest>;

export interface Keyed {
  /** The caller and the key; keys are scoped to their caller. */
  readonly key: string;
  readonly route: string;
  /** The digest of the whole request. */
  readonly digest: string;
  /** A repetition with the same id finds the created resource, so it may act again after a crash. */
  readonly repeatable: boolean;
}

export interface KeyedRequests {
  /**
   * The response of the first request with this key: awaited, replayed, or produced. Failures without effect may be retried with the key.
   * @throws IDEMPOTENCY_MISMATCH, REQUEST_INTERRUPTED, and the errors of `act`
   */
  once(request: Keyed, act: (id: string) => Promise<Answer>): Promise<Answer>;
}

export interface KeyedRequestsOptions {
  readonly documents: DocumentStore<KeyedRequest>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  /** Maximum number of stored keys, and maximum total size of their responses, in characters. */
  readonly most?: { readonly requests: number; readonly characters: number };
}

const DAY_MS = 24 * 3_600_000;
const MOST = { requests: 10_000, characters: 32 * 1024 * 1024 };

/** A request's state in memory; the rest is in its document. */
interface Entry {
  readonly atMs: number;
  /** Size of its response. */
  characters: number;
  /** Present while it runs, and if its document could not be written. */
  held: KeyedRequest | null;
  running: Promise<Answer> | null;
}

export function keyedRequests({ documents, now, newId, report, most = MOST }: KeyedRequestsOptions): KeyedRequests {
  const entries = new Map<string, Entry>();
  let characters = 0;
  /** Some stored requests are not understood, as those of a newer version. */
  let someUnread = false;
  const loaded = onceDone(load);

  async function load(): Promise<void> {
    const { documents: kept, damaged } = await documents.all();
    for (const { path, reason } of damaged) report({ doing: `reading the request in ${path}`, error: new Error(reason) });
    someUnread = damaged.length > 0;
    const oldestFirst = [...kept.values()].sort((a, b) => a.at_ms - b.at_ms);
    for (const request of oldestFirst)
      entries.set(request.key, { atMs: request.at_ms, characters: sizeOf(request), held: null, running: null });
    characters = oldestFirst.reduce((sum, request) => sum + sizeOf(request), 0);
  }

  /** @throws REQUEST_INTERRUPTED */
  async function requireReadable(key: string): Promise<void> {
    try {
      await documents.get(key);
    } catch (error) {
      throw hasCode(error, "STORE_DEGRADED", "RECORD_UNSUPPORTED") ? unread(error) : error;
    }
  }

  /** Removes expired and excess entries; running ones stay. */
  function forgetOld(): void {
    for (const [key, { atMs, running }] of entries) {
      const fits = entries.size <= most.requests && characters <= most.characters;
      if (fits && atMs > now() - DAY_MS) return;
      if (running === null) forget(key);
    }
  }

  function forget(key: string): void {
    characters -= entries.get(key)?.characters ?? 0;
    entries.delete(key);
    documents.delete(key).catch((error: unknown) => report({ doing: "deleting a request", error }));
  }

  /** An entry that cannot be written stays in memory, because its request took effect. */
  async function keep(entry: Entry, outcome: KeyedRequest): Promise<void> {
    entry.held = outcome;
    entry.characters = sizeOf(outcome);
    characters += entry.characters;
    try {
      await documents.put(outcome.key, outcome);
      entry.held = null;
    } catch (error) {
      report({ doing: "saving the response of a request", error });
    }
  }

  async function perform(entry: Entry, { request, act, repeatable }: Performing): Promise<Answer> {
    const { key, id } = request;
    try {
      await documents.put(key, request);
      const answer = await act(id);
      await keep(entry, { ...request, answer });
      return answer;
    } catch (error) {
      if (isTmpmError(error) && error.effect === "none") forget(key);
      else if (repeatable) entry.held = null;
      else await keep(entry, { ...request, failure: errorBody(error) });
      throw error;
    } finally {
      entry.running = null;
    }
  }

  async function once(keyed: Keyed, act: (id: string) => Promise<Answer>): Promise<Answer> {
    const { repeatable, ...asked } = keyed;
    await loaded();
    forgetOld();
    const entry = entries.get(asked.key);
    if (entry === undefined && someUnread) {
      await requireReadable(asked.key);
      if (entries.has(asked.key)) return once(keyed, act);
    }
    let known = entry?.held ?? null;
    if (entry !== undefined && known === null) {
      known = await documents.get(asked.key);
      // Another request with this key began, or this one was deleted meanwhile.
      if (entries.get(asked.key) !== entry || entry.held !== null) return once(keyed, act);
    }
    if (known !== null) {
      if (known.route !== asked.route || known.digest !== asked.digest) throw mismatch(known);
      if (entry !== undefined && entry.running !== null) return repeated(await entry.running);
      if (known.answer !== null) return repeated(known.answer);
      if (known.failure !== null) throw fromErrorBody(known.failure);
      if (!repeatable) throw interrupted(known);
    }
    const request = known ?? { schema_version: 1, ...asked, id: newId(), at_ms: now(), answer: null, failure: null };
    const fresh: Entry = { atMs: request.at_ms, characters: 0, held: request, running: null };
    characters -= entry?.characters ?? 0;
    entries.set(asked.key, fresh);
    fresh.running = perform(fresh, { request, act, repeatable });
    return fresh.running;
  }

  return { once };
}

interface Performing {
  readonly request: KeyedRequest;
  readonly act: (id: string) => Promise<Answer>;
  readonly repeatable: boolean;
}

function sizeOf({ answer }: KeyedRequest): number {
  return answer?.body.length ?? 0;
}

function repeated({ headers, ...answer }: Answer): Answer {
  return { ...answer, headers: { ...headers, "idempotency-replayed": "true" } };
}

function mismatch({ route, at_ms }: KeyedRequest): TmpmError {
  return new TmpmError("IDEMPOTENCY_MISMATCH", "the Idempotency-Key belongs to another request", {
    hint: "Use a different key for every request.",
    details: { route, at: timestampFromMs(at_ms) },
  });
}

function unread(cause: TmpmError): TmpmError {
  return new TmpmError("REQUEST_INTERRUPTED", "the request stored for the Idempotency-Key is unreadable, or of a newer tmpm", {
    effect: "unknown",
    hint: "Check the outcome first; remaining work needs another key.",
    details: cause.details,
    cause,
  });
}

function interrupted({ route, at_ms }: KeyedRequest): TmpmError {
  return new TmpmError("REQUEST_INTERRUPTED", "the daemon ended meanwhile, so the outcome is unknown", {
    effect: "unknown",
    hint: "Check the outcome first; remaining work needs another key.",
    details: { route, at: timestampFromMs(at_ms) },
  });
}
