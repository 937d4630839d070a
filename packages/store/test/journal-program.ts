/**
 * Appends to a journal as fast as possible, in bursts, and prints each event once it is acknowledged, until it is killed or dies at the
 * requested step.
 */
import { sampleEvent } from "../src/contract/sample-event.js";
import { type JournalCalls, nodeJournalCalls } from "../src/events/journal-calls.js";
import { eventJournal } from "../src/index.js";
import type { JournalJob } from "./worker.js";

const { dir, maxBytes, die } = JSON.parse(process.argv[2] ?? "null") as JournalJob;

function kill(): Promise<never> {
  process.kill(process.pid, "SIGKILL");
  return new Promise<never>(() => undefined);
}

/** A write that dies has written a part: a torn line. */
function dyingCalls({ call, nth }: { readonly call: keyof JournalCalls; readonly nth: number }): JournalCalls {
  let left = nth;
  const real: (...args: never[]) => unknown = nodeJournalCalls[call];
  const dying = (...args: never[]) => {
    if (--left > 0) return real(...args);
    if (call === "write") nodeJournalCalls.write(args[0] ?? -1, Buffer.from(args[1] ?? "").subarray(0, -7));
    return kill();
  };
  return { ...nodeJournalCalls, [call]: dying };
}

const journal = eventJournal({ dir, maxBytes, ...(die === undefined ? {} : { calls: dyingCalls(die) }) });

for (let burst = 0; ; burst = (burst + 1) % 7) {
  const outcomes = Array.from({ length: burst + 1 }, (_, index) => `${process.pid}.${index}.${"x".repeat(burst * 30)}`);
  const acknowledged = outcomes.map(async (outcome) => {
    const { seq } = await journal.append(sampleEvent(outcome));
    process.stdout.write(`${JSON.stringify({ seq, outcome })}\n`);
  });
  await Promise.all(acknowledged);
}
