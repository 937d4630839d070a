import type { SendEntry } from "@tmpm/core";
import type { Running } from "./running.js";

/** The sends under way in this process: those of one session are typed one at a time, in the order of their turns. */
export interface Deliveries {
  add(running: Running): void;
  get(entry: Pick<SendEntry, "id">): Running | undefined;
  /** Of one session, in order of acceptance. */
  of(session: string): readonly Running[];
  /** Cancels all waiting sends, and resolves when none is left. */
  close(): Promise<void>;
}

export function deliveries(): Deliveries {
  const sessions = new Map<string, Running[]>();

  function remove(running: Running): void {
    const left = (sessions.get(running.session) ?? []).filter(({ id }) => id !== running.id);
    if (left.length === 0) sessions.delete(running.session);
    else sessions.set(running.session, left);
  }

  function all(): readonly Running[] {
    return [...sessions.values()].flat();
  }

  return {
    add(running) {
      sessions.set(running.session, [...(sessions.get(running.session) ?? []), running]);
      const done = () => remove(running);
      // The sender gets its failure.
      running.receipt.then(done, done);
    },
    get: ({ id }) => all().find((running) => running.id === id),
    of: (session) => sessions.get(session) ?? [],
    async close() {
      for (const running of all()) running.takeBack("interrupted");
      while (sessions.size > 0) await Promise.allSettled(all().map(({ receipt }) => receipt));
    },
  };
}
