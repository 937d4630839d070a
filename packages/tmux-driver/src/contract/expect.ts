import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type ErrorCode, isTmpmError } from "@tmpm/core";
import type { Answer } from "../driver.js";

/** Longer than any success takes, also on a busy machine. */
const PATIENCE_MS = 30_000;
/** Delay between two looks, each of which may cost a process; grows. */
const PAUSE_MS = { first: 10, most: 100, growth: 1.5 };

/** Polls until the answer passes; a case with a real program can only poll. */
export async function eventually<T>(ask: () => Promise<T>, passes: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * PAUSE_MS.growth, PAUSE_MS.most)) {
    const value = await ask();
    if (passes(value)) return value;
    if (Date.now() > deadline) assert.fail(`still ${JSON.stringify(value)} after ${PATIENCE_MS} ms`);
    await sleep(pause);
  }
}

export async function rejects(promise: Promise<unknown>, code: ErrorCode): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert.ok(isTmpmError(error), `a TmpmError, not ${String(error)}`);
    assert.equal(error.code, code);
    if (code.startsWith("PANE_")) assert.equal(error.effect, "none");
    return true;
  });
}

/** The value of a present answer. */
export function present<T>(answer: Answer<T> | undefined): T {
  if (answer?.kind !== "present") assert.fail(`present, not ${answer?.kind}`);
  return answer.value;
}
