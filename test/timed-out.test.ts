import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { execute, isAlive } from "./fixture.js";
import { WITHOUT_SSHD } from "./sshd.js";

const ROOT = resolve(import.meta.dirname, "..");

test("a test that times out leaves no process and no file", async (context) => {
  if (!existsSync("/proc/self/environ")) context.skip("needs /proc");
  const dir = await mkdtemp(join(tmpdir(), "tmpm-timed-out-"));
  const report = join(dir, "report");
  const vitest = [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--config", join(import.meta.dirname, "timed-out/vitest.config.ts")];
  const env = { PATH: process.env.PATH ?? "", HOME: dir, TMPDIR: process.env.TMPDIR ?? "", TMPM_TEST_REPORT: report };
  const ended = await execute([process.execPath, ...vitest], { input: "", env, cwd: ROOT });
  expect(ended.stdout + ended.stderr).toContain("Test timed out");
  const { folder, pids }: { folder: string; pids: number[] } = JSON.parse(await readFile(report, "utf8"));
  // The daemon, tmux and its three panes, and sshd.
  expect(pids.length).toBeGreaterThanOrEqual(WITHOUT_SSHD === null ? 6 : 5);
  const late = Number(await readFile(`${report}.late`, "utf8"));
  const alive = await Promise.all([...pids, late].map(async (pid) => ((await isAlive(pid)) ? [pid] : [])));
  expect(alive.flat()).toEqual([]);
  expect(existsSync(dirname(folder))).toBe(false);
  await rm(dir, { recursive: true });
});
