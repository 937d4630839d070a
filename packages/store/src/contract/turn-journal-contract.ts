import assert from "node:assert/strict";
import { Turn, timestampFromMs } from "@tmpm/core";
import type { TurnJournal } from "../turns/turn-journal.js";
import type { ContractTest } from "./store-fixture.js";

/** A fresh place with an open journal, for one case. */
export interface TurnJournalFixture {
  readonly journal: TurnJournal;
  /** Another journal on the same place, as opened by the next process. */
  reopen(): Promise<TurnJournal>;
  /** Closes every journal and removes the place. */
  dispose(): Promise<void>;
}

export interface TurnJournalContractOptions {
  readonly test: ContractTest;
  /** Called once for each case. Five ended turns of a session are kept. */
  readonly open: () => Promise<TurnJournalFixture>;
}

const START_MS = 1_000_000;
const SESSION = "00000000-0000-4000-8000-00000000000a";
const OTHER = "00000000-0000-4000-8000-00000000000b";

type Cases = Readonly<Record<string, (fixture: TurnJournalFixture) => Promise<void>>>;

/** Registers the cases that every TurnJournal passes with the runner's `test`. */
export function turnJournalContract({ test, open }: TurnJournalContractOptions): void {
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
  "returns a turn as last saved, also in the next process": async ({ journal, reopen }) => {
    await journal.keep(turn(1));
    await journal.keep({ ...turn(1), state: "running", prompt: "a\n\t漢🙂\u2028" });
    for (const each of [journal, await reopen()]) {
      assert.deepEqual(await each.get(SESSION, turn(1).id), { ...turn(1), state: "running", prompt: "a\n\t漢🙂\u2028" });
      assert.equal((await each.list(SESSION)).length, 1);
      assert.equal((await each.open()).length, 1);
    }
  },
  "keeps an outcome, even if another one is saved later": async ({ journal, reopen }) => {
    await journal.keep(turn(1));
    await journal.keep(ended(1));
    await journal.keep(turn(1));
    await journal.keep({ ...ended(1), outcome: "failed" });
    for (const each of [journal, await reopen()]) {
      assert.deepEqual(await each.list(SESSION), [ended(1)]);
      assert.deepEqual(await each.open(), []);
    }
  },
  "writes of one session happen in call order": async ({ journal, reopen }) => {
    await Promise.all([journal.keep(turn(1)), journal.keep({ ...turn(1), state: "running" }), journal.keep(ended(1))]);
    assert.deepEqual(await (await reopen()).list(SESSION), [ended(1)]);
  },
  "lists open turns of every session by generation": async ({ journal, reopen }) => {
    for (const each of [turn(2), turn(10), { ...turn(3), session_id: OTHER }, turn(1), ended(4)]) await journal.keep(each);
    for (const each of [journal, await reopen()]) {
      const open = await each.open();
      assert.deepEqual(
        open.filter(({ session_id }) => session_id === SESSION).map(({ generation }) => generation),
        [1, 2, 10],
      );
      assert.equal(open.length, 4);
    }
  },
  "paging ends with the last turn": async ({ journal }) => {
    for (let n = 1; n <= 4; n++) await journal.keep(ended(n));
    const generations = async (slice: Parameters<TurnJournal["list"]>[1]) =>
      (await journal.list(SESSION, slice)).map(({ generation }) => generation);
    assert.deepEqual(await generations({ limit: 2 }), [3, 4]);
    assert.deepEqual(await generations({ limit: 9 }), [1, 2, 3, 4]);
    assert.deepEqual(await generations({ from: 2, limit: 2 }), [2, 3]);
    assert.deepEqual(await generations({ from: 4 }), [4]);
    assert.deepEqual(await generations({ from: 9, limit: 2 }), []);
    assert.deepEqual(await generations({ limit: 0 }), []);
    assert.deepEqual(await journal.list(OTHER, { from: 1 }), []);
  },
  "knows the last generation of a session": async ({ journal, reopen }) => {
    assert.equal(await journal.lastGeneration(SESSION), 0);
    for (const each of [turn(2), ended(12), ended(3), { ...turn(40), session_id: OTHER }]) await journal.keep(each);
    for (const each of [journal, await reopen()]) assert.equal(await each.lastGeneration(SESSION), 12);
  },
  "keeps the newest ended turns, and all open ones": async ({ journal, reopen }) => {
    await journal.keep(turn(1));
    for (let n = 2; n <= 8; n++) await journal.keep(ended(n));
    for (const each of [journal, await reopen()]) {
      assert.deepEqual(
        (await each.list(SESSION)).map(({ generation }) => generation),
        [1, 4, 5, 6, 7, 8],
      );
      assert.equal(await each.get(SESSION, turn(2).id), null);
    }
  },
  "forgets only the given session": async ({ journal, reopen }) => {
    await journal.keep(turn(1));
    await journal.keep(ended(2));
    await journal.keep({ ...turn(3), session_id: OTHER });
    await journal.forget(SESSION);
    await journal.forget(SESSION);
    for (const each of [journal, await reopen()]) {
      assert.deepEqual(await each.list(SESSION), []);
      assert.equal((await each.list(OTHER)).length, 1);
    }
  },
};

function turn(n: number): Turn {
  return Turn.parse({
    id: `00000000-0000-4000-9000-${String(n).padStart(12, "0")}`,
    session_id: SESSION,
    project_id: "default",
    generation: n,
    state: "queued",
    one_at_a_time: true,
    place: n,
    key: null,
    prompt: "prompt",
    prompt_bytes: 6,
    prompt_digest: "d",
    accepted_at: timestampFromMs(START_MS + n),
  });
}

function ended(n: number): Turn {
  return { ...turn(n), state: "ended", outcome: "completed", reason: "ready", ended_at: timestampFromMs(START_MS + n) };
}
