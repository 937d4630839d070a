import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type UsageLine, type UsageSource, type UsageState, usageSource } from "@tmpm/agents";
import { NO_TOKENS, type SessionRecord, type UsageRecord, usedTokens } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { expect, onTestFinished, test } from "vitest";
import type { Context } from "../src/context.js";
import { usageReader } from "../src/usage/usage-reader.js";
import { usageRegistry } from "../src/usage/usage-registry.js";
import { turnAgent } from "./turn-agent.js";

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

test("a conversation's own file is checked in each round, that of a finished sub-agent only at the next search for files", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-many-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const [own, other] = [join(dir, "own"), join(dir, "other")];
  for (const path of [own, other]) writeFileSync(path, "");
  const { reader } = readerOf(usageSource({ locate: () => async () => [own, other], read: counted }));
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
