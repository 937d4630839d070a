import { performance } from "node:perf_hooks";
import { afterEach, describe, expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";
import { panesOf, recordOf, recordsOf, speakingJob } from "../fixtures/host-fixture.js";
import { type TmuxFixture, tmuxFixture } from "../fixtures/tmux-fixture.js";

const SCALE = Number(process.env.TMPM_TEST_SCALE ?? 1);
const SESSIONS = SCALE >= 10 ? 20 : 8;
/** For the full counts on an idle machine. */
const LIMIT_MS = 250;
const HOUR_MS = 3_600_000;

const open = new Set<TmuxFixture>();
afterEach(async () => {
  for (const hostFixture of open) await hostFixture.dispose();
  open.clear();
});

async function withSessions(count: number): Promise<{ readonly hostFixture: TmuxFixture; readonly names: readonly string[] }> {
  // An end without an event would be detected by the next sweep, which does not come.
  const hostFixture = await tmuxFixture({ autoResume: false, sweepMs: { quiet: HOUR_MS, busy: HOUR_MS } });
  open.add(hostFixture);
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  await Promise.all(names.map((name) => hostFixture.sessions.create({ ...speakingJob, name, cwd: hostFixture.cwd })));
  hostFixture.sessions.start();
  await new Promise<void>((resolve) => {
    const watching = hostFixture.driver.watch(() => {
      watching.close();
      resolve();
    });
  });
  return { hostFixture, names };
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}

/** Duration of a tmux process on this machine now, in ms. */
async function yardstick({ tmux }: TmuxFixture): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 7; round++) {
    const from = performance.now();
    await tmux("display-message", "-p", "x");
    times.push(performance.now() - from);
  }
  return quantile(times, 0.5);
}

describe("end of a program, on a real tmux", { timeout: 240_000 }, () => {
  test(`is detected from its event alone, with its status and last lines, among ${SESSIONS} sessions`, async () => {
    const { hostFixture, names } = await withSessions(SESSIONS);
    const before = await yardstick(hostFixture);
    const heard = new Map<string, () => void>();
    hostFixture.onEvent((event) => {
      if (event.type === "session_exited") heard.get(event.session_id)?.();
    });
    const times: number[] = [];
    for (const name of names) {
      const record = await recordOf(hostFixture, name);
      const ended = new Promise<void>((resolve) => heard.set(record.id, resolve));
      const from = performance.now();
      process.kill(record.pid ?? 0, "SIGKILL");
      await ended;
      times.push(performance.now() - from);
    }
    const stick = Math.max(before, await yardstick(hostFixture));
    const [median, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
    const limit = Math.max(LIMIT_MS, 12 * stick);
    console.info(
      `exit noticed: median ${(median / stick).toFixed(1)}, p95 ${(p95 / stick).toFixed(1)} times one tmux process; p95 ${(p95 / LIMIT_MS).toFixed(2)} of the limit`,
    );
    if (SCALE >= 10) expect(p95).toBeLessThan(limit);
    await expect
      .poll(async () => [...(await recordsOf(hostFixture)).values()].map(({ state, exit }) => `${state} ${exit?.signal}`))
      .toEqual(names.map(() => "stopped 9"));
    await expect.poll(async () => (await panesOf(hostFixture)).length).toBe(0);
  });

  test("is detected for many simultaneous ends, each with its own status", async () => {
    const { hostFixture, names } = await withSessions(6);
    await expect.poll(async () => (await hostFixture.sessions.capture({ session: "s3" })).lines).toContain("words");
    await Promise.all(names.map(async (name, index) => hostFixture.end(await recordOf(hostFixture, name), index + 1)));
    await expect
      .poll(async () => [...(await recordsOf(hostFixture)).values()].map(({ name, exit }) => `${name} ${exit?.status}`).sort())
      .toEqual(names.map((name, index) => `${name} ${index + 1}`).sort());
    expect(hostFixture.events.filter(({ type }) => type === "observer_suspected")).toEqual([]);
    expect((await recordOf(hostFixture, "s3")).last_lines[0]).toBe("words");
  });
});

describe("hanging session", () => {
  test("delays no other session's end, neither during an operation nor while its terminal does not answer", async () => {
    const held = new Set<string>();
    const l = fixture({
      settings: { autoResume: false },
      lens: (driver) => ({
        ...driver,
        find: (identity) => (held.has(identity.pane_id) ? new Promise<never>(() => undefined) : driver.find(identity)),
        captureMany: (identities, options) =>
          identities.some(({ pane_id }) => held.has(pane_id))
            ? new Promise<never>(() => undefined)
            : driver.captureMany(identities, options),
      }),
    });
    for (const name of ["stuck", "one", "two"]) await l.sessions.create({ agent: "shell", cwd: "/w", name });
    const stuck = await recordOf(l, "stuck");
    held.add(stuck.pane?.pane_id ?? "");
    l.sessions.start();
    l.tmux.exit("tmpm-stuck", 1);
    l.tmux.exit("tmpm-one", 3);
    await expect.poll(async () => (await recordOf(l, "one")).exit?.status).toBe(3);
    l.tmux.close("tmpm-two");
    await expect.poll(async () => (await recordOf(l, "two")).state).toBe("stopped");
    expect((await recordOf(l, "stuck")).state).toBe("active");
  });
});
