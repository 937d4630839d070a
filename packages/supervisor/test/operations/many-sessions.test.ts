import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { job, panesOf, recordsOf } from "../fixtures/host-fixture.js";
import { tmuxFixture } from "../fixtures/tmux-fixture.js";

const run = promisify(execFile);
const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const MANY = scale >= 10 ? 200 : 10;
const AT_ONCE = 20;

/** Runs the task for each of the items, twenty at a time, as twenty callers would. */
async function forAll<T>(items: readonly T[], task: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await task(item);
    }),
  );
}

/** Cost of starting and ending as many sessions with plain tmux, one process per command. */
async function rawLoop(names: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-raw-"));
  const tmux = (...args: readonly string[]) => run("tmux", ["-u", "-f", "/dev/null", "-S", join(folder, "s"), ...args]);
  const started = performance.now();
  try {
    for (const name of names) await tmux("new-session", "-d", "-s", name, "exec sleep 1000");
    for (const name of names) await tmux("kill-session", "-t", `=${name}`);
    return performance.now() - started;
  } finally {
    await tmux("kill-server").catch(() => "no server is left when no session is");
    rmSync(folder, { recursive: true, force: true });
  }
}

test(`creates, drives, stops and removes ${MANY} sessions on a real tmux, and leaves nothing`, {
  timeout: 600_000,
}, async () => {
  const names = Array.from({ length: MANY }, (_, index) => `s${index}`);
  // The ratio is informative.
  const rawMs = scale >= 10 ? await rawLoop(names) : Number.NaN;
  const fixture = await tmuxFixture();
  try {
    const work = join(fixture.cwd, "work");
    mkdirSync(work);
    const started = performance.now();
    const laps: Record<string, number> = {};
    const lap = async (name: string, task: (session: string) => Promise<unknown>) => {
      const begun = performance.now();
      await forAll(names, task);
      laps[name] = (performance.now() - begun) / rawMs;
    };
    await lap("create", (name) => fixture.sessions.create({ ...job, name, cwd: work }));
    const pids = [...(await recordsOf(fixture)).values()].flatMap(({ pid }) => pid ?? []);
    expect(new Set(pids).size).toBe(MANY);
    await lap("drive", async (session) => {
      await fixture.sessions.keys({ session, keys: ["0"] });
      expect((await fixture.sessions.capture({ session })).live).toBe(true);
    });
    await lap("stop", async (session) =>
      expect(await fixture.sessions.stop({ session })).toMatchObject({ survivors: [], left_alone: null }),
    );
    await lap("remove", (session) => fixture.sessions.remove({ session }));
    const ratio = (performance.now() - started) / rawMs;
    const parts = Object.entries(laps).map(([name, part]) => `${name} ${part.toFixed(1)}`);
    if (scale >= 10)
      console.log(`${MANY} sessions: ${ratio.toFixed(1)} times a loop of raw new-session and kill-session (${parts.join(", ")})`);
    expect((await fixture.sessions.list({ all: true })).sessions.map(({ record }) => record.state)).toEqual(
      names.map(() => "decommissioned"),
    );
    expect(await panesOf(fixture)).toEqual([]);
    // tmux collects ended programs asynchronously.
    await expect.poll(() => pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    expect(readdirSync(work)).toEqual([]);
    expect(readdirSync(join(fixture.cwd, "..", "state")).filter((name) => !name.endsWith(".conf"))).toEqual([]);
    expect(fixture.faults).toEqual([]);
  } finally {
    await fixture.dispose();
  }
});
