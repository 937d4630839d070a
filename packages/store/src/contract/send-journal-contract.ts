import assert from "node:assert/strict";
import { SendEntry, timestampFromMs } from "@tmpm/core";
import type { SendJournal } from "../sends/send-journal.js";
import { assertRejects } from "./assertions.js";
import type { ContractTest } from "./store-fixture.js";

/** A fresh place with an open journal, for one case. */
export interface SendJournalFixture {
  readonly journal: SendJournal;
  /** Moves the clock of the journal forward. */
  advance(ms: number): void;
  /** Another journal on the same place, as opened by the next process. */
  reopen(): Promise<SendJournal>;
  /** Closes every journal and removes the place. */
  dispose(): Promise<void>;
}

export interface SendJournalContractOptions {
  readonly test: ContractTest;
  /** Called once for each case. The clock begins at 1,000,000 ms, and five completed sends of a session are kept. */
  readonly open: () => Promise<SendJournalFixture>;
}

const START_MS = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const SESSION = "00000000-0000-4000-8000-00000000000a";
const OTHER = "00000000-0000-4000-8000-00000000000b";

type Cases = Readonly<Record<string, (fixture: SendJournalFixture) => Promise<void>>>;

/** Registers the cases that every SendJournal passes with the runner's `test`. */
export function sendJournalContract({ test, open }: SendJournalContractOptions): void {
  for (const [title, run] of Object.entries(CASES)) {
    test(title, async () => {
      const fixture = await open();
      try {
        await run(fixture);
      } finally {
        await fixture.dispose();
      }
    });
  }
}

const CASES: Cases = {
  "keeps an accepted send with its text, also for the next process": async ({ journal, reopen }) => {
    const text = "a\n\tb;漢🙂\ufeff";
    await journal.accept(send(1), text);
    for (const each of [journal, await reopen()]) {
      assert.deepEqual(await each.list(SESSION), [send(1)]);
      assert.deepEqual(await each.pending(), [send(1)]);
      assert.equal(await each.text(send(1)), text);
    }
  },
  "a completed send keeps its receipt and drops its text": async ({ journal, reopen }) => {
    await journal.accept(send(1), "text");
    await journal.note({ ...send(1), step: "entering", enters: 1 });
    assert.equal(await journal.text(send(1)), "text");
    await journal.note(done(1));
    for (const each of [journal, await reopen()]) {
      assert.deepEqual(await each.list(SESSION), [done(1)]);
      assert.deepEqual(await each.pending(), []);
      assert.equal(await each.text(send(1)), null);
    }
  },
  "lists sends newest first, and pending ones oldest first": async ({ journal, reopen }) => {
    await journal.accept(send(1), "one");
    await journal.accept(send(2), "two");
    await journal.accept({ ...send(3), session_id: OTHER }, "three");
    for (const each of [journal, await reopen()]) {
      assert.deepEqual((await each.list(SESSION)).map(idOf), [send(2).id, send(1).id]);
      assert.deepEqual((await each.pending()).map(idOf), [send(1).id, send(2).id, send(3).id]);
    }
  },
  "a session's key is unique from the call on, for a day": async ({ journal, reopen, advance }) => {
    const keyed = (n: number) => ({ ...done(n), key: "k" });
    const first = journal.accept(keyed(1), "text");
    await assertRejects(journal.accept(keyed(2), "text"), "NAME_TAKEN");
    await first;
    await journal.accept({ ...keyed(3), session_id: OTHER }, "text");
    const next = await reopen();
    await assertRejects(next.accept(keyed(4), "text"), "NAME_TAKEN");
    advance(DAY_MS + 10);
    await next.accept(send(5), "text");
    await next.accept({ ...send(6), key: "k" }, "text");
    assert.deepEqual((await next.list(SESSION)).map(idOf), [send(6).id, send(5).id]);
  },
  "keeps the newest completed sends, and all pending ones": async ({ journal }) => {
    await journal.accept(send(1), "x");
    for (let n = 2; n <= 8; n++) await journal.accept(done(n), "x");
    assert.deepEqual(
      (await journal.list(SESSION)).map(idOf),
      [8, 7, 6, 5, 4, 1].map((n) => send(n).id),
    );
    await journal.note(done(1));
    await journal.accept(send(9), "x");
    assert.deepEqual(
      (await journal.list(SESSION)).map(idOf),
      [9, 8, 7, 6, 5, 4].map((n) => send(n).id),
    );
  },
  "rejects a note on a send that was never accepted": async ({ journal }) => {
    await assertRejects(journal.note(send(1)), "SESSION_NOT_FOUND");
  },
  "forgets only the given session": async ({ journal, reopen }) => {
    await journal.accept(send(1), "one");
    await journal.accept({ ...send(2), session_id: OTHER }, "two");
    await journal.forget(SESSION);
    await journal.forget(SESSION);
    for (const each of [journal, await reopen()]) {
      assert.deepEqual(await each.list(SESSION), []);
      assert.equal(await each.text(send(1)), null);
      assert.deepEqual((await each.list(OTHER)).map(idOf), [send(2).id]);
    }
  },
};

function send(n: number): SendEntry {
  const at = timestampFromMs(START_MS + n);
  const id = `00000000-0000-4000-9000-${String(n).padStart(12, "0")}`;
  const flags = { background: false, now: false, interrupt: false, as_command: false };
  return SendEntry.parse({
    id,
    session_id: SESSION,
    key: null,
    digest: "d",
    bytes: 1,
    accepted_at: at,
    updated_at: at,
    ...flags,
    step: "accepted",
  });
}

function done(n: number): SendEntry {
  const receipt = { id: send(n).id, outcome: "submitted", reason: "screen", bytes: 1, evidence: ["seen"] } as const;
  return SendEntry.parse({ ...send(n), step: "done", receipt });
}

function idOf({ id }: SendEntry): string {
  return id;
}
