import { randomUUID } from "node:crypto";
import { type ActivityState, TmpmError } from "@tmpm/core";
import { memoryJournal } from "@tmpm/store/memory";
import type { WaitManyInput } from "@tmpm/supervisor";
import { expect, test } from "vitest";
import { events } from "../../src/events/events.js";

const [ID, OTHER] = [randomUUID(), randomUUID()];
const AT_MS = Date.parse("2026-01-02T03:04:05.000Z");

/** A journal, and a wait that returns what it would count as reached before. */
function fixture() {
  const journal = memoryJournal({});
  const seen: (readonly string[])[] = [];
  const { waitFrom } = events({ journal, sessionId: async (id) => id, projectId: async (project) => project });
  const waitMany = async ({ sessions, before }: WaitManyInput) => {
    seen.push([...((await before?.(sessions)) ?? [])]);
    throw new TmpmError("TIMEOUT", "not in time", { details: { wanted: ["idle"] } });
  };
  const wait = async (until: WaitManyInput["until"], after?: number) => {
    const failure = await waitFrom(waitMany, { sessions: [ID], until, mode: "any", timeout_ms: 0, after }).catch((error: unknown) => error);
    return { details: failure instanceof TmpmError ? failure.details : null, passed: seen.at(-1) };
  };
  const changed = (session_id: string, state: ActivityState, afterMs: number) => {
    const at = new Date(AT_MS + afterMs).toISOString();
    const activity = {
      state,
      since: at,
      observed_at: at,
      expires_at: null,
      limit: null,
      source: "screen",
      confidence: 1,
      evidence: [],
    } as const;
    return journal.append({ type: "session_activity_changed", at, session_id, activity: { ...activity, evidence: [] } });
  };
  return { journal, wait, changed };
}

test("a wait that ends without a state returns the event number after which the next one misses none", async () => {
  const { wait, changed } = fixture();
  await changed(ID, "blocked", 0);
  const first = await wait("blocked");
  expect(first).toEqual({ details: { wanted: ["idle"], after: 1 }, passed: [] });
  await changed(OTHER, "blocked", 1_000);
  expect((await wait("blocked", 1)).passed).toEqual([]);
  await changed(ID, "blocked", 2_000);
  await changed(ID, "working", 3_000);
  expect((await wait(["awaiting_input", "blocked"], 1)).passed).toEqual([ID]);
  expect(await wait("awaiting_input", 1)).toEqual({ details: { wanted: ["idle"], after: 4 }, passed: [] });
});

test("an agent that was idle only between two steps is not counted", async () => {
  const { wait, changed } = fixture();
  await changed(ID, "idle", 0);
  await changed(ID, "working", 100);
  expect((await wait("idle", 0)).passed).toEqual([]);
  await changed(ID, "idle", 1_000);
  await changed(ID, "working", 1_500);
  expect((await wait("idle", 0)).passed).toEqual([ID]);
});

test("a question counts, and an unreadable journal loses only the cursor", async () => {
  const { journal, wait } = fixture();
  await journal.append({ type: "question_asked", at: new Date(AT_MS).toISOString(), session_id: ID, question_id: "q", question: "Which?" });
  expect((await wait("question", 0)).passed).toEqual([ID]);
  const broken = { ...journal, read: async () => Promise.reject(new TmpmError("STORE_DEGRADED", "torn")) };
  const { waitFrom } = events({ journal: broken, sessionId: async (id) => id, projectId: async (project) => project });
  await expect(
    waitFrom(async () => Promise.reject(new TmpmError("TIMEOUT", "no")), { sessions: [ID], until: "idle", mode: "any", timeout_ms: 0 }),
  ).rejects.toMatchObject({ code: "TIMEOUT", details: {} });
  const waitMany = async ({ before, sessions }: WaitManyInput) => {
    expect([...((await before?.(sessions)) ?? ["none"])]).toEqual([]);
    throw new TmpmError("TIMEOUT", "no");
  };
  await expect(waitFrom(waitMany, { sessions: [ID], until: "idle", mode: "any", timeout_ms: 0, after: 0 })).rejects.toMatchObject({
    code: "TIMEOUT",
  });
});
