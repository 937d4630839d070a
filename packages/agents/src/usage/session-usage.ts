import { hash } from "node:crypto";
import { type CountedAnswer, countAnswers, type ReadFile, type UsageRecord } from "@tmpm/core";
import { atChange } from "../files/at-change.js";
import { statOrNull } from "../files/stat-or-null.js";
import { grownLines } from "./grown-lines.js";
import type { CountOptions, UsageCounted, UsageFormat, UsageSource } from "./usage-source.js";

const NEW_FILE: Omit<ReadFile, "file" | "offset"> = { torn: false, state: {} };

/** Counts from the lines of an agent's files. */
export function usageSource({ locate, read }: UsageFormat): UsageSource {
  return {
    locate,
    sizeOf: (path) => statOrNull(path)?.size ?? null,
    atChange,
    count: (record, options) => counted(record, { ...options, read }),
  };
}

type Counting = CountOptions & Pick<UsageFormat, "read">;

function counted(record: UsageRecord, options: Counting): UsageCounted {
  const { path } = options;
  const known = record.files[path] ?? null;
  const grown = grownLines(path, known, options);
  if (grown === null) return { record, more: false };
  const same = known?.file === grown.place.file;
  // Only a part of a line was added, which may stay incomplete.
  if (same && grown.place.offset === known.offset) return { record, more: false };
  let state = same ? known.state : {};
  const answers: CountedAnswer[] = [];
  for (const line of grown.lines) {
    const read = options.read(line, state);
    state = read.state;
    const key = read.answer === null ? "" : digestOf(read.answer.key);
    if (read.answer !== null && !options.taken(key)) answers.push({ ...read.answer, key, day: dayOf(read.answer.atMs ?? options.nowMs) });
  }
  const sum = countAnswers(record, answers, options.counted);
  const file = { ...NEW_FILE, ...grown.place, state };
  const skipped_bytes = sum.skipped_bytes + grown.skipped;
  return { record: { ...sum, files: { ...sum.files, [path]: file }, skipped_bytes }, more: grown.more };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Short, since all are kept: two of 20,000 responses collide with a probability of one in ten thousand million. */
function digestOf(key: string): string {
  return hash("sha256", key, "base64url").slice(0, 11);
}
