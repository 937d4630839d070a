import { expect, test } from "vitest";
import { closeDaemon } from "../../src/lifecycle/close-daemon.js";

test("a failed step does not skip later ones, and pending data is written", async () => {
  const done: string[] = [];
  await closeDaemon({
    stopping: new AbortController(),
    givingUp: new AbortController(),
    answered: async () => {
      throw new Error("no rename");
    },
    cut() {
      done.push("cut");
      throw new Error("no cut");
    },
    flushed: async () => void done.push("flushed"),
    warn: (message) => void done.push(message),
  });
  expect(done).toEqual(["not every connection was closed: no rename", "cut", "not every connection was cut: no cut", "flushed"]);
});
