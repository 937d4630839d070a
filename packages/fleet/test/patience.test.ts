import { expect, test } from "vitest";
import { patience } from "../src/index.js";

/** A clock and a process that is busy for a part of the time. */
function clock() {
  let planned: { readonly at: number; readonly act: () => void } | null = null;
  let now = 0;
  let busy = 0;
  return {
    after(ms: number, act: () => void) {
      planned = { at: now + ms, act };
      return () => {
        planned = null;
      };
    },
    idleMs: () => now - busy,
    isWaiting: () => planned !== null,
    pass(ms: number, { working = false } = {}) {
      now += ms;
      if (working) busy += ms;
      const due = planned;
      if (due === null || due.at > now) return;
      planned = null;
      due.act();
    },
  };
}

test("aborts after 300 ms without input", () => {
  const time = clock();
  const { signal } = patience(300, { timer: time, idleMs: time.idleMs });
  time.pass(299);
  expect(signal.aborted).toBe(false);
  time.pass(1);
  expect(signal.reason).toMatchObject({ code: "DAEMON_UNREACHABLE", message: "no answer within 300 ms", details: { reason: "no_answer" } });
});

test("does not count this process's own work, however long", () => {
  const time = clock();
  const { signal } = patience(300, { timer: time, idleMs: time.idleMs });
  time.pass(100);
  for (let answers = 0; answers < 200; answers++) time.pass(5, { working: true });
  expect(signal.aborted).toBe(false);
  time.pass(199);
  expect(signal.aborted).toBe(false);
  time.pass(1);
  expect(signal.aborted).toBe(true);
});

test("stops its clock", () => {
  const time = clock();
  const { signal, stop } = patience(300, { timer: time, idleMs: time.idleMs });
  time.pass(400, { working: true });
  stop();
  expect([time.isWaiting(), signal.aborted]).toEqual([false, false]);
});
