import { fromErrorBody, isTmpmError, TmpmError, timestampFromMs } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";
import * as z from "zod";
import type { Answer } from "./answer.js";
import { ErrorBody, errorBody } from "./error-body.js";

/** A request that came with a key, as it is kept. Without `answer` and `failure` it never came to an end. */
export const KeyedRequest = z.object({
  schema_version: z.literal(1),
  key: z.string(),
  route: z.string(),
  digest: z.string(),
  /** What its effect is made under, where that has an id. */
  id: z.uuid(),
  at_ms: z.number(),
  answer: z.object({ status: z.number(), headers: z.record(z.string(), z.string()), body: z.string() }).nullable(),
  failure: ErrorBody.nullable(),
});
export type KeyedRequest = z.infer<typeof KeyedRequest>;

export interface Keyed {
  /** Who asks, and the key; another caller's key is another. */
  readonly key: string;
  readonly route: string;
  /** Of everything that is asked. */
  readonly digest: string;
  /** A repetition under the same id finds what was made, so it may act again when a crash cut the first one off. */
  readonly repeatable: boolean;
}

export interface KeyedRequests {
  /**
   * The answer of the first request with this key: waits for it, repeats it, or acts. What fails with no effect may be tried again under its key.
   * @throws IDEMPOTENCY_MISMATCH, REQUEST_INTERRUPTED, and what `act` throws
   */
  once(request: Keyed, act: (id: string) => Promise<Answer>): Promise<Answer>;
}

export interface KeyedRequestsOptions {
  readonly documents: DocumentStore<KeyedRequest>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  /** How many are kept, and how much of their answers, in characters. */
  readonly most?: { readonly requests: number; readonly characters: number };
}

const DAY_MS = 24 * 3_600_000;
const MOST = { requests: 10_000, characters: 32 * 1024 * 1024 };

interface Entry {
  request: KeyedRequest;
  running: Promise<Answer> | null;
}

export function keyedRequests({ documents, now, newId, report, most = MOST }: KeyedRequestsOptions): KeyedRequests {
  const entries = new Map<string, Entry>();
  let characters = 0;
  let loaded: Promise<void> | null = null;

  async function load(): Promise<void> {
    const { documents: kept } = await documents.all();
    const oldestFirst = [...kept.values()].sort((a, b) => a.at_ms - b.at_ms);
    for (const request of oldestFirst) entries.set(request.key, { request, running: null });
    characters = oldestFirst.reduce((sum, request) => sum + sizeOf(request), 0);
  }

  /** What is too old, or too much; what runs stays. */
  function forgetOld(): void {
    for (const [key, { request, running }] of entries) {
      const fits = entries.size <= most.requests && characters <= most.characters;
      if (fits && request.at_ms > now() - DAY_MS) return;
      if (running === null) forget(key);
    }
  }

  function forget(key: string): void {
    const entry = entries.get(key);
    if (entry !== undefined) characters -= sizeOf(entry.request);
    entries.delete(key);
    documents.delete(key).catch((error: unknown) => report({ doing: "forgetting a request", error }));
  }

  async function keep(entry: Entry, outcome: Pick<KeyedRequest, "answer"> | { readonly failure: ErrorBody }): Promise<void> {
    characters -= sizeOf(entry.request);
    entry.request = { ...entry.request, ...outcome };
    characters += sizeOf(entry.request);
    try {
      await documents.put(entry.request.key, entry.request);
    } catch (error) {
      report({ doing: "keeping the answer of a request", error });
    }
  }

  async function perform(
    entry: Entry,
    { act, repeatable }: { readonly act: (id: string) => Promise<Answer>; readonly repeatable: boolean },
  ) {
    const { key, id } = entry.request;
    try {
      await documents.put(key, entry.request);
      const answer = await act(id);
      await keep(entry, { answer });
      return answer;
    } catch (error) {
      if (isTmpmError(error) && error.effect === "none") forget(key);
      else if (!repeatable) await keep(entry, { failure: errorBody(error) });
      throw error;
    } finally {
      entry.running = null;
    }
  }

  return {
    async once({ repeatable, ...asked }, act) {
      loaded ??= load();
      await loaded;
      forgetOld();
      const known = entries.get(asked.key);
      if (known !== undefined) {
        if (known.request.route !== asked.route || known.request.digest !== asked.digest) throw mismatch(known.request);
        if (known.running !== null) return repeated(await known.running);
        if (known.request.answer !== null) return repeated(known.request.answer);
        if (known.request.failure !== null) throw fromErrorBody(known.request.failure);
        if (!repeatable) throw interrupted(known.request);
      }
      const fresh: KeyedRequest = { schema_version: 1, ...asked, id: newId(), at_ms: now(), answer: null, failure: null };
      const entry: Entry = { request: known?.request ?? fresh, running: null };
      entries.set(asked.key, entry);
      entry.running = perform(entry, { act, repeatable });
      return entry.running;
    },
  };
}

function sizeOf({ answer }: KeyedRequest): number {
  return answer?.body.length ?? 0;
}

function repeated({ headers, ...answer }: Answer): Answer {
  return { ...answer, headers: { ...headers, "idempotency-replayed": "true" } };
}

function mismatch({ route, at_ms }: KeyedRequest): TmpmError {
  return new TmpmError("IDEMPOTENCY_MISMATCH", "the Idempotency-Key stands for another request", {
    hint: "Give every request a key of its own.",
    details: { route, at: timestampFromMs(at_ms) },
  });
}

function interrupted({ route, at_ms }: KeyedRequest): TmpmError {
  return new TmpmError("REQUEST_INTERRUPTED", "the daemon ended while it did this, so what came of it is not known", {
    effect: "unknown",
    hint: "Look first; what is still to be done needs another key.",
    details: { route, at: timestampFromMs(at_ms) },
  });
}
