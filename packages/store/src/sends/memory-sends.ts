import { hasCode, isTmpmError, type SendEntry } from "@tmpm/core";
import { byAge, type SendIndex, type SendLimits, sendIndex } from "./send-index.js";
import type { SendJournal } from "./send-journal.js";

/** A send journal in memory, for tests: it passes the same contract and fails on demand. */
export interface MemorySends extends SendJournal {
  /** The next call of `method` stores nothing and rejects with `error`. */
  failNext(method: FailingMethod, error: Error): void;
  /** Another journal on the same sends, as opened by the next process. */
  another(): MemorySends;
}

type FailingMethod = "accept" | "note" | "text";

interface Place {
  readonly index: SendIndex;
  readonly texts: Map<string, string>;
}

export function memorySends(limits: SendLimits = {}): MemorySends {
  return sendsOver({ index: sendIndex(limits), texts: new Map() });
}

function sendsOver(place: Place): MemorySends {
  const { index, texts } = place;
  /** Outcomes that are not stored. */
  const unstored = new Map<string, SendEntry>();
  const now = (entry: SendEntry) => unstored.get(entry.id) ?? entry;
  const failures: { readonly method: FailingMethod; readonly error: Error }[] = [];

  function fault(method: FailingMethod): void {
    const at = failures.findIndex((failure) => failure.method === method);
    const [failure] = at < 0 ? [] : failures.splice(at, 1);
    if (failure !== undefined) throw failure.error;
  }

  function remove(entries: readonly SendEntry[]): void {
    for (const entry of entries) {
      index.remove(entry);
      texts.delete(entry.id);
      unstored.delete(entry.id);
    }
  }

  function store(entry: SendEntry): void {
    fault("note");
    index.replace(entry);
    unstored.delete(entry.id);
    if (entry.step === "done") texts.delete(entry.id);
  }

  async function flush(): Promise<void> {
    for (const entry of [...unstored.values()]) {
      try {
        store(entry);
      } catch (error) {
        if (!isTmpmError(error)) throw error;
      }
    }
  }

  return {
    failNext: (method, error) => void failures.push({ method, error }),
    another: () => sendsOver(place),
    async accept(entry, text) {
      fault("accept");
      index.add(entry);
      texts.set(entry.id, text);
      remove(index.expired(entry.session_id));
    },
    async note(entry) {
      try {
        store(entry);
      } catch (error) {
        if (entry.step === "done" && !hasCode(error, "SESSION_NOT_FOUND")) unstored.set(entry.id, entry);
        throw error;
      }
    },
    list: async (session) => index.of(session).map(now).toReversed(),
    pending: async () =>
      index
        .all()
        .map(now)
        .filter(({ step }) => step !== "done")
        .sort(byAge),
    async text({ id }) {
      fault("text");
      return texts.get(id) ?? null;
    },
    forget: async (session) => remove(index.of(session)),
    flush,
    close: flush,
  };
}
