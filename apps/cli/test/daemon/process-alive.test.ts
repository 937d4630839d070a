import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isAlive } from "../../src/daemon/process-alive.js";

test("a process runs until it has ended", async () => {
  const child = spawn("sleep", ["60"]);
  const pid = child.pid ?? 0;
  expect(isAlive(pid)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isAlive(pid)).toBe(false);
});

test("a zombie process does not count as running", async () => {
  const parent = spawn("sh", ["-c", "sh -c 'echo $$; kill -9 $$' & exec sleep 60"]);
  const [printed] = await once(parent.stdout, "data");
  const pid = Number(String(printed));
  try {
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /);
    expect(isAlive(pid)).toBe(false);
  } finally {
    parent.kill("SIGKILL");
  }
});
