import assert from "node:assert/strict";
import { type ErrorCode, hasCode } from "@tmpm/core";
import type { Entry, SessionStore } from "../store.js";

export async function assertRejects(promise: Promise<unknown>, code: ErrorCode): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(hasCode(error, code), `expected ${code}, got ${String(error)}`);
    assert.equal(error.effect, "none");
    return true;
  });
}

/** The ids in their order, so that a failure names the wrong entry. */
export function ids(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) => (entry.kind === "session" ? entry.record.id : entry.id));
}

export async function sessionIn(store: SessionStore, id: string) {
  const entry = await store.get(id);
  assert.ok(entry?.kind === "session", `expected a session, got ${JSON.stringify(entry)}`);
  return entry;
}

/** Resolves when `probe` stops throwing, or rejects with its error at the deadline. */
export async function eventually(probe: () => void | Promise<void>, { timeoutMs = 20_000 } = {}): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
