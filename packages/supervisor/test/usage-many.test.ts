import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type UsageSource, usageSource } from "@tmpm/agents";
import { NO_TOKENS, type SessionRecord, type UsageRecord, usedTokens } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { expect, onTestFinished, test } from "vitest";
import type { Context } from "../src/context.js";
import { usageBook } from "../src/usage/usage-book.js";
import { usageReader } from "../src/usage/usage-reader.js";
import { turnAgent } from "./turn-agent.js";

const SESSIONS = 100;
const ROUNDS = 20;

test("100 writing sessions: each line is read once, and unchanged files are not read", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-many-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  let read = 0;
  const source: UsageSource = usageSource({
    locate:
      ({ conversationId }) =>
      async () => [join(dir, conversationId)],
    read(line, state) {
      read += 1;
      const key = line.split(" ", 1)[0] ?? "";
      return { state, answer: { key, atMs: 0, model: "m", tokens: { ...NO_TOKENS, input: 3 }, context: null } };
    },
  });
  const book = usageBook({
    documents: memoryDocuments<UsageRecord>(),
    now: () => "2026-11-28T00:00:00Z",
    report: ({ error }) => expect.unreachable(String(error)),
  });
  // The reader asks nothing else of its context.
  const ctx = {
    usage: book,
    clock: { now: () => 0 },
    agent: () => ({ ...turnAgent, usage: source }),
    host: { own: [] },
    settings: { sessionEnv: {} },
    launchEnvs: { of: async () => ({}) },
  } as unknown as Context;
  const reader = usageReader(() => ctx);
  const records = Array.from({ length: SESSIONS }, (_, n) => {
    const id = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
    writeFileSync(join(dir, `c${n}`), "");
    return { id, conversation_id: `c${n}`, agent: "a", control: "Tmux" } as SessionRecord;
  });
  for (let round = 0; round < ROUNDS; round++) {
    for (const [n] of records.entries()) appendFileSync(join(dir, `c${n}`), `${n}-${round} ${"x".repeat(2_000)}\n`);
    for (const record of records) expect(await reader.read(record, { seek: round === 0 })).toBe(true);
    for (const record of records) expect(await reader.read(record, { seek: false })).toBe(false);
    expect(read).toBe((round + 1) * SESSIONS);
  }
  for (const { id } of records) expect(usedTokens(book.of(id)).input).toBe(3 * ROUNDS);
});
