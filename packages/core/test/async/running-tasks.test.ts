import { expect, test } from "vitest";
import { runningTasks } from "../../src/index.js";

test("a key is running until the last of its tasks has settled, also by a failure", async () => {
  const tasks = runningTasks();
  const ends: ((error?: Error) => void)[] = [];
  const task = () =>
    new Promise<string>((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve("done") : reject(error)));
    });
  const [first, second] = [tasks.run("a", task), tasks.run("a", task)];
  expect([tasks.isRunning("a"), tasks.isRunning("b")]).toEqual([true, false]);
  ends[0]?.(new Error("failed"));
  await expect(first).rejects.toThrow("failed");
  expect(tasks.isRunning("a")).toBe(true);
  ends[1]?.();
  expect(await second).toBe("done");
  expect(tasks.isRunning("a")).toBe(false);
});
