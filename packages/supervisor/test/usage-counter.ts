import { writeSync } from "node:fs";
import { claude } from "@tmpm/agents";
import { type SessionRecord, UsageRecord, usedTokens } from "@tmpm/core";
import { type DocumentStore, documentFolder } from "@tmpm/store";
import type { Context } from "../src/context.js";
import { usageReader } from "../src/usage/usage-reader.js";
import { usageRegistry } from "../src/usage/usage-registry.js";

/**
 * Counts the only session of a home as a daemon does, and prints a byte at each step, until it is killed; with a fourth argument once, and
 * prints the sum.
 * `node usage-counter.js HOME KEPT CONVERSATION [once]`
 */
const [, , home = "", dir = "", conversation = "", once] = process.argv;
const id = "00000000-0000-4000-8000-000000000001";

const step = () => (once === undefined ? void writeSync(1, ".") : undefined);

function counting(documents: DocumentStore<UsageRecord>): DocumentStore<UsageRecord> {
  return {
    ...documents,
    async put(key, document) {
      step();
      await documents.put(key, document);
      step();
    },
  };
}

const decode = (value: unknown) => UsageRecord.safeParse(value).data ?? null;
const book = usageRegistry({
  documents: counting(documentFolder({ dir, decode })),
  now: () => "2026-11-28T00:00:00Z",
  report({ error }) {
    throw error;
  },
});
await book.load();
// The reader uses no other part of its context.
const ctx = {
  usage: { registry: book },
  clock: { now: () => 0 },
  agent: () => claude,
  host: { own: [] },
  settings: { sessionEnv: { HOME: home } },
  launchEnvs: { of: async () => ({}) },
} as unknown as Context;
const reader = usageReader(() => ctx);
const record = { id, conversation_id: conversation, agent: "claude", control: "Tmux" } as SessionRecord;

for (let round = 0; ; round++) {
  const more = await reader.read(record, { seek: true });
  step();
  if (once !== undefined && !more) break;
  if (round % 3 === 0 || once !== undefined) book.write();
  if (round % 7 === 0) await book.drained();
}
book.write();
await book.drained();
writeSync(1, JSON.stringify(usedTokens(book.of(id))));
