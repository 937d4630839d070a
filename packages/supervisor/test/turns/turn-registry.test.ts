import { type CancelCause, type EventBody, laneDepth, TmpmError, Turn, type TurnEnd, type TurnEvent, waitingTurns } from "@tmpm/core";
import { memoryTurns } from "@tmpm/store/memory";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type TurnRegistry, turnRegistry } from "../../src/turns/turn-registry.js";

const NOW = "2026-01-01T00:00:00.000Z";
const SESSIONS = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"] as const;
const SCALE = Number(process.env.TMPM_TEST_SCALE ?? 1);
const SEED = Number(process.env.TMPM_TEST_SEED ?? 1);
const RUNS = SCALE >= 10 ? 10_000 : 300;

/** An event of a session. `which` selects one of all past generations, so that many are stale. */
type Happening =
  | { readonly type: "submit" | "deliver" | "hold" | "start" | "refuse" | "evict" | "disconnect" | "restart daemon" }
  | { readonly type: "join"; readonly which: number }
  | { readonly type: "end"; readonly which: number; readonly how: TurnEnd }
  | { readonly type: "cancel" | "spare"; readonly which: number; readonly cause: CancelCause }
  | { readonly type: "move"; readonly which: number; readonly place: number }
  | { readonly type: "close"; readonly cause: CancelCause; readonly after: "gone" | "reopened" }
  | { readonly type: "exit" };

interface Step {
  readonly session: 0 | 1;
  readonly happening: Happening;
}

const which = fc.nat({ max: 8 });
const cause = fc.constantFrom<CancelCause>("client_rpc", "admin_kill", "session_removed", "superseded");
const how = fc.constantFrom<TurnEnd>("ready", "ended_while_away", "agent_errored", "not_seen_to_stop");
const plain = fc.constantFrom(
  "submit",
  "submit",
  "deliver",
  "deliver",
  "start",
  "start",
  "hold",
  "refuse",
  "evict",
  "disconnect",
  "restart daemon",
);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: plain.map((type): Happening => ({ type })) },
  fc.record({ type: fc.constant("join" as const), which }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant("end" as const), which, how }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("cancel" as const), which, cause }) },
  fc.record({ type: fc.constant("spare" as const), which, cause }),
  fc.record({ type: fc.constant("move" as const), which, place: fc.integer({ min: -5, max: 20 }) }),
  fc.record({ type: fc.constant("close" as const), cause, after: fc.constantFrom("gone" as const, "reopened" as const) }),
  fc.constant<Happening>({ type: "exit" }),
);
const steps = fc.array(fc.record({ session: fc.constantFrom(0 as const, 1 as const), happening }), { maxLength: 40, size: "max" });

/** The simple model of one prompt. */
interface Expected {
  readonly generation: number;
  state: "waits" | "typed" | "runs" | "over";
  /** Outcome and cause once it is over, else the cause so far. */
  outcome: string | null;
  cause: CancelCause | null;
}

function over(turn: Expected, outcome: string, by: CancelCause | null): void {
  if (turn.state === "over") return;
  Object.assign(turn, { state: "over", outcome, cause: by });
}

function fixture() {
  const journal = memoryTurns();
  const events: EventBody[] = [];
  const released: string[] = [];
  const open = () =>
    turnRegistry({
      journal,
      now: () => NOW,
      emit: (event) => events.push(event),
      report: ({ error }) => {
        throw error;
      },
      withWords: async (turn) => turn,
      release: ({ id }) => void released.push(id),
      wake: () => undefined,
    });
  return { journal, events, released, open, model: SESSIONS.map((): Expected[] => []) };
}

type Fixture = ReturnType<typeof fixture>;

function idOf(session: 0 | 1, generation: number): string {
  return `00000000-0000-4000-900${session}-${String(generation).padStart(12, "0")}`;
}

async function submit(book: TurnRegistry, session: 0 | 1): Promise<Turn> {
  const generation = await book.nextGeneration(SESSIONS[session]);
  return Turn.parse({
    id: idOf(session, generation),
    session_id: SESSIONS[session],
    project_id: "default",
    generation,
    state: "queued",
    one_at_a_time: true,
    place: generation,
    key: null,
    prompt: `prompt ${generation}`,
    prompt_bytes: 8,
    prompt_digest: "d",
    accepted_at: NOW,
  });
}

/** Applies it to the book and to the simple model; returns the next book after a restart of the daemon. */
async function make(fixture: Fixture, book: TurnRegistry, { session, happening: it }: Step): Promise<TurnRegistry> {
  const id = SESSIONS[session];
  const known = fixture.model[session] ?? [];
  const apply = (event: TurnEvent) => void book.apply(id, event);
  const meant = "which" in it ? known.find(({ generation }) => generation === it.which) : undefined;
  const typed = book.lane(id).open.find(({ state }) => state === "delivering");
  const picture = (turn: Turn | undefined) => known.find(({ generation }) => generation === turn?.generation);
  switch (it.type) {
    case "submit": {
      const turn = await submit(book, session);
      apply({ type: "accepted", turn });
      known.push({ generation: turn.generation, state: "waits", outcome: null, cause: null });
      return book;
    }
    case "deliver": {
      const next = waitingTurns(book.lane(id))[0];
      if (next === undefined || book.lane(id).open.some(({ state }) => state !== "queued")) return book;
      apply({ type: "delivering", id: next.id });
      Object.assign(picture(next) ?? {}, { state: "typed" });
      return book;
    }
    case "join": {
      if (meant !== undefined) apply({ type: "started", id: idOf(session, meant.generation), at: NOW, receipt: null });
      if (meant?.state === "waits" || meant?.state === "typed") meant.state = "runs";
      return book;
    }
    case "hold":
    case "start":
    case "refuse": {
      if (typed === undefined) return book;
      const seen = picture(typed);
      if (it.type === "hold") apply({ type: "held", id: typed.id });
      if (it.type === "start") apply({ type: "started", id: typed.id, at: NOW, receipt: null });
      if (it.type === "refuse") apply({ type: "failed", id: typed.id, reason: "waited_too_long", receipt: null });
      if (seen === undefined) return book;
      if (it.type === "start") seen.state = "runs";
      else if (seen.cause !== null) over(seen, "cancelled", seen.cause);
      else if (it.type === "refuse") over(seen, "failed", null);
      else seen.state = "waits";
      return book;
    }
    case "end": {
      apply({ type: "ended", generation: it.which, how: it.how });
      if (meant?.state !== "runs") return book;
      if (meant.cause !== null) over(meant, "cancelled", meant.cause);
      else if (it.how !== "not_seen_to_stop") over(meant, it.how === "agent_errored" ? "failed" : "completed", null);
      return book;
    }
    case "cancel": {
      apply({ type: "cancelling", generation: it.which, cause: it.cause });
      if (meant?.state === "waits") over(meant, "cancelled", it.cause);
      else if (meant !== undefined && meant.state !== "over") meant.cause = it.cause;
      return book;
    }
    case "spare": {
      apply({ type: "spared", generation: it.which, cause: it.cause });
      if (meant?.state === "runs" && meant.cause === it.cause) meant.cause = null;
      return book;
    }
    case "move": {
      if (meant !== undefined) apply({ type: "moved", id: idOf(session, meant.generation), place: it.place });
      return book;
    }
    case "close": {
      apply({ type: "closing", cause: it.cause });
      for (const turn of known) if (turn.state === "waits") over(turn, "cancelled", it.cause);
      apply({ type: it.after });
      if (it.after === "gone") for (const turn of known) over(turn, "cancelled", it.cause);
      return book;
    }
    case "exit": {
      apply({ type: "gone" });
      for (const turn of known) over(turn, turn.cause === null ? "failed" : "cancelled", turn.cause);
      return book;
    }
    case "evict": {
      // Only a session without running or waiting turns may be evicted (ZW-6), so turns do not change.
      expect(laneDepth(book.lane(id)) === 0).toBe(known.every(({ state }) => state === "over"));
      return book;
    }
    case "disconnect":
      return book;
    case "restart daemon": {
      for (const each of SESSIONS) await book.settled(each);
      const next = fixture.open();
      next.takeUp(await fixture.journal.open(), 0);
      // The progress of a text is known from its send, and it is first in order.
      for (const each of SESSIONS) {
        for (const turn of book.lane(each).open) if (turn.state === "delivering") next.apply(each, { type: "delivering", id: turn.id });
      }
      return next;
    }
  }
}

async function check(script: readonly Step[]): Promise<void> {
  const here = fixture();
  let book = here.open();
  for (const step of script) {
    book = await make(here, book, step);
    for (const [index, session] of SESSIONS.entries()) {
      const open = here.model[index]?.filter(({ state }) => state !== "over").map(({ generation }) => generation);
      expect(
        book
          .lane(session)
          .open.map(({ generation }) => generation)
          .toSorted((a, b) => a - b),
      ).toEqual(open);
    }
  }
  for (const session of [0, 1] as const) book = await make(here, book, { session, happening: { type: "exit" } });
  for (const session of SESSIONS) await book.settled(session);
  const ended = here.events.flatMap((event) => (event.type === "turn_ended" ? [event] : []));
  for (const [index, session] of SESSIONS.entries()) {
    for (const { generation, outcome, cause: by } of here.model[index] ?? []) {
      const id = idOf(index === 0 ? 0 : 1, generation);
      const outcomes = ended.filter(({ turn_id }) => turn_id === id).map((event) => [event.outcome, event.cause]);
      expect([generation, outcomes]).toEqual([generation, [[outcome, by]]]);
      expect(await here.journal.get(session, id)).toMatchObject({ state: "ended", outcome, cause: by });
    }
  }
  expect(await here.journal.open()).toEqual([]);
}

test(`${RUNS} random lives of two sessions: every prompt has one outcome, with its actual cause`, { timeout: 600_000 }, async () => {
  console.log(`turn book: seed ${SEED}, ${RUNS} runs`);
  await fc.assert(fc.asyncProperty(steps, check), { seed: SEED, numRuns: RUNS });
});

/** A book with a turn that runs, whose end the journal rejects. */
async function rejected() {
  const journal = memoryTurns();
  const faults: unknown[] = [];
  const book = turnRegistry({
    journal,
    now: () => NOW,
    emit: () => undefined,
    report: ({ error }) => void faults.push(error),
    withWords: async (turn) => turn,
    release: () => undefined,
    wake: () => undefined,
  });
  const [session] = SESSIONS;
  const turn = await submit(book, 0);
  book.apply(session, { type: "accepted", turn });
  book.apply(session, { type: "started", id: turn.id, at: NOW, receipt: null });
  await book.settled(session);
  journal.failNext(new TmpmError("STORAGE_FULL", "no space left"));
  book.apply(session, { type: "ended", generation: turn.generation, how: "ready" });
  await book.settled(session);
  expect((await journal.get(session, turn.id))?.state).toBe("running");
  expect((await book.get(session, turn.id))?.outcome).toBe("completed");
  return { journal, book, faults, session, id: turn.id };
}

test.each(["flush", "close"] as const)(
  "an outcome that the journal rejected is written by %s, and its failure reported once",
  async (how) => {
    const { journal, book, faults, session, id } = await rejected();
    journal.failNext(new TmpmError("STORAGE_FULL", "no space left"));
    await book.flush();
    expect((await journal.get(session, id))?.state).toBe("running");
    await book[how]();
    expect((await journal.get(session, id))?.outcome).toBe("completed");
    expect(faults).toMatchObject([{ code: "STORAGE_FULL" }]);
  },
);

test("an outcome that the journal rejected is reported once, even if other turns follow", async () => {
  const { journal, book, faults, session, id } = await rejected();
  for (let n = 1; n < 4; n += 1) {
    const turn = await submit(book, 0);
    journal.failNext(new TmpmError("STORAGE_FULL", `no space left for ${n}`));
    book.apply(session, { type: "accepted", turn });
    await book.settled(session);
    // The journal was not asked for the earlier one again.
    expect(await journal.get(session, turn.id)).toBeNull();
  }
  const reasons = ["no space left", ...[1, 2, 3].map((n) => `no space left for ${n}`)];
  expect(faults.map((fault) => (fault as TmpmError).message)).toEqual(reasons);
  await book.flush();
  expect((await journal.get(session, id))?.outcome).toBe("completed");
});

test("an outcome that the journal rejected is not written for a forgotten session", async () => {
  const { journal, book, session, id } = await rejected();
  await book.forget(session);
  await book.flush();
  expect(await journal.get(session, id)).toBeNull();
});
