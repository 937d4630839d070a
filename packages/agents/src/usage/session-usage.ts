import { createHash } from "node:crypto";
import { countAnswer, type ReadFile, type UsageRecord } from "@tmpm/core";
import { grownLines } from "./grown-lines.js";
import type { AnswerUsage, CountOptions, UsageCounted, UsageFormat, UsageSource } from "./usage-source.js";

const NEW_FILE: Omit<ReadFile, "file" | "offset"> = { torn: false, state: {} };

/** Counts from the lines of an agent's files. */
export function usageSource({ locate, read }: UsageFormat): UsageSource {
  return { locate, count: (record, options) => counted(record, { ...options, read }) };
}

type Counting = CountOptions & Pick<UsageFormat, "read">;

function counted(record: UsageRecord, options: Counting): UsageCounted {
  const { path } = options;
  const known = record.files[path] ?? null;
  const grown = grownLines(path, known, options);
  if (grown === null) return { record, more: false };
  const same = known?.file === grown.place.file;
  let state = same ? known.state : {};
  let sum = record;
  for (const line of grown.lines) {
    const read = options.read(line, state);
    state = read.state;
    if (read.answer !== null) sum = withAnswer(sum, read.answer, options);
  }
  const file = { ...NEW_FILE, ...grown.place, state };
  const skipped_bytes = sum.skipped_bytes + grown.skipped;
  return { record: { ...sum, files: { ...sum.files, [path]: file }, skipped_bytes }, more: grown.more };
}

function withAnswer(record: UsageRecord, answer: AnswerUsage, { nowMs, taken }: CountOptions): UsageRecord {
  const key = digestOf(answer.key);
  if (taken(key)) return record;
  const day = new Date(answer.atMs ?? nowMs).toISOString().slice(0, 10);
  return countAnswer(record, { ...answer, key, day });
}

/** Short, since all are kept: two of 20,000 responses collide with a probability of one in ten thousand million. */
function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 11);
}
