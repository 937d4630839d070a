import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type UsageLine, type UsageSource, type UsageState, usageSource } from "@tmpm/agents";
import { NO_TOKENS, type SessionRecord, type UsageRecord, usedTokens } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Context } from "../../src/context.js";
import { startUsage } from "../../src/usage/start-usage.js";
import { usageReader } from "../../src/usage/usage-reader.js";
import { usageRegistry } from "../../src/usage/usage-registry.js";
import { turnAgent } from "../fixtures/turn-agent.js";

const SESSIONS = 100;
const ROUNDS = 20;

function counted(line: string, state: UsageState): UsageLine {
  const key = line.split(" ", 1)[0] ?? "";
  return { state, answer: { key, atMs: 0, model: "m", tokens: { ...NO_TOKENS, input: 3 }, context: null } };
}

function readerOf(source: UsageSource) {
  const book = usageRegistry({
    documents: memoryDocuments<UsageRecord>(),
    now: () => "2026-11-28T00:00:00Z",
    report: ({ error }) => expect.unreachable(String(error)),
  });
  // The reader uses no other part of its context.
  const ctx = {
    usage: { registry: book },
    clock: { now: () => 0 },
    agent: () => ({ ...turnAgent, usage: source }),
    host: { own: [] },
    settings: { sessionEnv: {} },
    launchEnvs: { of: async () => ({}) },
  } as unknown as Context;
  return { book, reader: usageReader(() => ctx) };
}

function recordOf(number: number): SessionRecord {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  return { id, conversation_id: `c${number}`, agent: "a", control: "Tmux" } as SessionRecord;
}

test("100 writing sessions: each line is read once, and unchanged files are not read", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-many-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  let read = 0;
  const source = usageSource({
    locate:
      ({ conversationId }) =>
      async () => [join(dir, conversationId)],
    read(line, state) {
      read += 1;
      return counted(line, state);
    },
  });
  const { reader, book } = readerOf(source);
  const records = Array.from({ length: SESSIONS }, (_, n) => {
    writeFileSync(join(dir, `c${n}`), "");
    return recordOf(n);
  });
  for (const record of records) expect(reader.hasNews(record)).toBe(true);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [n] of records.entries()) appendFileSync(join(dir, `c${n}`), `${n}-${round} ${"x".repeat(2_000)}\n`);
    for (const record of records) expect(await reader.read(record, { seek: round === 0 })).toBe(true);
    for (const record of records) expect(await reader.read(record, { seek: false })).toBe(false);
    expect(read).toBe((round + 1) * SESSIONS);
  }
  for (const { id } of records) expect(usedTokens(book.of(id)).input).toBe(3 * ROUNDS);
});

test("without change notifications, a conversation's own file is checked in each round, and the file of a finished sub-agent only at the next search for files", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-many-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const [own, other] = [join(dir, "own"), join(dir, "other")];
  for (const path of [own, other]) writeFileSync(path, "");
  const source = usageSource({ locate: () => async () => [own, other], read: counted });
  const { reader } = readerOf({ ...source, atChange: () => null });
  const record = recordOf(1);
  expect(reader.hasNews(record)).toBe(true);
  await reader.read(record, { seek: true });
  appendFileSync(other, "1-0 x\n");
  expect(reader.hasNews(record)).toBe(true);
  for (let round = 0; round < 100; round++) expect(reader.hasNews(record)).toBe(false);
  appendFileSync(other, "1-1 x\n");
  expect(reader.hasNews(record)).toBe(false);
  expect(await reader.read(record, { seek: true })).toBe(true);
  expect(reader.hasNews(record)).toBe(false);
  appendFileSync(own, "1-2 x\n");
  expect(reader.hasNews(record)).toBe(true);
  expect(reader.hasNews({ ...record, conversation_id: "another" })).toBe(true);
});

describe("an idle conversation", () => {
  /** Its reader after ten rounds without a change, and how often the size of its file was read since. */
  async function resting(changes: Partial<UsageSource> = {}) {
    const dir = mkdtempSync(join(tmpdir(), "tmpm-many-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const path = join(dir, "own");
    writeFileSync(path, "");
    const source = usageSource({ locate: () => async () => [path], read: counted });
    let reported = 0;
    const atChange: UsageSource["atChange"] = (file, changed) =>
      source.atChange(file, () => {
        reported += 1;
        changed();
      });
    let sized = 0;
    const sizeOf = (file: string) => {
      sized += 1;
      return source.sizeOf(file);
    };
    const { reader } = readerOf({ ...source, sizeOf, atChange, ...changes });
    onTestFinished(() => reader.keepOnly(new Set()));
    const record = recordOf(1);
    await reader.read(record, { seek: true });
    const rounds = (count: number) => {
      sized = 0;
      for (let round = 0; round < count; round++) expect(reader.hasNews(record)).toBe(false);
      return sized;
    };
    rounds(10);
    return { reader, record, path, rounds, reported: () => reported };
  }

  test("is checked in every tenth round, also after a search for files, until its change is reported", async () => {
    const { reader, record, path, rounds, reported } = await resting();
    expect(rounds(100)).toBe(10);
    await reader.read(record, { seek: true });
    expect(rounds(101)).toBe(11);
    appendFileSync(path, "1-0 x\n");
    await expect.poll(reported, { timeout: 30_000 }).toBe(1);
    expect(reader.hasNews(record)).toBe(true);
    expect(await reader.read(record, { seek: false })).toBe(true);
    expect(rounds(10)).toBe(10);
    expect(rounds(100)).toBe(10);
  });

  test("is checked in every round without change notifications", async () => {
    const { rounds } = await resting({ atChange: () => null });
    expect(rounds(100)).toBe(100);
  });

  test("stops being watched when it is dropped", async () => {
    const calls: string[] = [];
    const atChange = () => {
      calls.push("listen");
      return { close: () => void calls.push("close") };
    };
    const { reader, rounds } = await resting({ atChange });
    rounds(100);
    expect(calls).toEqual(["listen"]);
    reader.keepOnly(new Set());
    expect(calls).toEqual(["listen", "close"]);
  });
});

test("all sessions with new lines are read in one round, with pauses if that takes long", async () => {
  const records = Array.from({ length: SESSIONS }, (_, n) => ({ ...recordOf(n), state: "active" }) as SessionRecord);
  const read: string[] = [];
  const slept: number[] = [];
  let nowMs = 0;
  let endRound: () => void = () => undefined;
  const roundEnd = new Promise<void>((resolve) => {
    endRound = resolve;
  });
  const ctx = {
    clock: {
      now: () => nowMs,
      sleep(ms: number) {
        slept.push(ms);
        if (ms !== 1_000) return Promise.resolve();
        endRound();
        return new Promise(() => undefined);
      },
    },
    store: { list: async () => records.map((record) => ({ kind: "session", record })) },
    observations: { get: () => undefined },
    usage: {
      reader: {
        hasNews: () => true,
        async read({ id }: SessionRecord) {
          read.push(id);
          nowMs += 9;
          return false;
        },
        keepOnly: () => undefined,
      },
      registry: { write: () => undefined, drained: async () => undefined },
      loaded: async () => undefined,
    },
    settings: { usageMs: 1_000, resumeAfterLimit: { on: false } },
    report: ({ error }: { readonly error: unknown }) => expect.unreachable(String(error)),
  } as unknown as Context;
  const counting = startUsage(ctx);
  await roundEnd;
  expect(read).toEqual(records.map(({ id }) => id));
  // A round reads for 100 ms without a pause.
  expect(slept).toEqual([...Array.from({ length: 8 }, () => 20), 1_000]);
  await counting.close();
});

test("the state of an ended session's earlier conversation is kept until its end is counted, and then dropped", async () => {
  const record = {
    ...recordOf(0),
    state: "stopped",
    conversation_id: "c",
    updated_at: "2026-01-01T00:00:00Z",
    exit: null,
  } as SessionRecord;
  const steps: unknown[] = [];
  const ctx = {
    clock: { now: () => 0, sleep: () => new Promise(() => undefined) },
    store: { list: async () => [{ kind: "session", record }] },
    usage: {
      reader: {
        keepOnly: (ids: ReadonlySet<string>) => void steps.push([...ids]),
        async read() {
          steps.push("read");
          return false;
        },
      },
      registry: { get: () => null, write: () => undefined, drained: async () => undefined },
      loaded: async () => undefined,
      budgets: { of: () => [] },
    },
    settings: { usageMs: 1_000, resumeAfterLimit: { on: false } },
    report: ({ error }: { readonly error: unknown }) => expect.unreachable(String(error)),
  } as unknown as Context;
  const counting = startUsage(ctx);
  await expect.poll(() => steps).toEqual(["read", []]);
  await counting.close();
});
