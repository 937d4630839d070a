import type { SendEntry } from "@tmpm/core";
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
      fault("note");
      index.replace(entry);
      if (entry.step === "done") texts.delete(entry.id);
    },
    list: async (session) => index.of(session).toReversed(),
    pending: async () =>
      index
        .all()
        .filter(({ step }) => step !== "done")
        .sort(byAge),
    async text({ id }) {
      fault("text");
      return texts.get(id) ?? null;
    },
    forget: async (session) => remove(index.of(session)),
    close: async () => undefined,
  };
}
