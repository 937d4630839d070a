import { expect, test } from "vitest";
import { keyedQueue } from "../../src/async/keyed-queue.js";

test("runs tasks of one key in order, also after a failure, without delaying other keys", async () => {
  const { run, busy, idle } = keyedQueue();
  const log: string[] = [];
  const task =
    (name: string, fails = false) =>
    async () => {
      await new Promise((resolve) => setImmediate(resolve));
      log.push(name);
      if (fails) throw new TypeError(name);
    };
  const results = await Promise.allSettled([
    run("a", task("a1", true)),
    run("a", task("a2")),
    run("b", async () => log.push("b1")),
    run("a", task("a3")),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
  await idle();
  expect(busy("a")).toBe(false);
  expect(log).toEqual(["b1", "a1", "a2", "a3"]);
});
