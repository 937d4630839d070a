import { type AutoResume, SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import type { FakeProgram } from "@tmpm/tmux-driver/fake";
import { describe, expect, test } from "vitest";
import { recentAttempts } from "../../src/housekeeping/auto-resume-plan.js";
import { composerProgram } from "../fixtures/composer-program.js";
import { type Fixture, fixture } from "../fixtures/fixture.js";
import { panesOf, recordOf } from "../fixtures/host-fixture.js";

/** Virtual time advances while a timer is pending. */
async function later(l: Fixture, ms: number): Promise<void> {
  const until = l.tmux.now() + ms;
  await expect.poll(() => l.tmux.now() >= until).toBe(true);
}

async function running(options: Parameters<typeof fixture>[0] = {}): Promise<Fixture> {
  const l = fixture(options);
  await l.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
  l.sessions.start();
  return l;
}

const fixtureOf = (l: Fixture) => ({ store: l.store, driver: l.tmux.driver });
const resumptions = (l: Fixture) => l.events.filter(({ type }) => type === "session_resumed").length;

describe("a session that stopped unexpectedly", () => {
  test("is resumed after its terminal disappeared: the same session, directory and conversation", async () => {
    const l = await running();
    const before = await recordOf(l, "demo");
    l.tmux.close("tmpm-demo");
    await expect.poll(() => resumptions(l)).toBe(1);
    await expect.poll(async () => (await recordOf(l, "demo")).intent).toBeNull();
    const after = await recordOf(l, "demo");
    expect(after).toMatchObject({ id: before.id, cwd: "/w", conversation_id: before.conversation_id, state: "active", stop_cause: null });
    expect(after.pane).not.toEqual(before.pane);
    expect(await panesOf({ driver: l.tmux.driver })).toHaveLength(1);
    await l.sessions.close();
  });

  test("reports for ten minutes that it was resumed", async () => {
    const l = fixture();
    await l.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    const { id, launched_at } = await recordOf(l, "demo");
    const attempts = [{ at: timestampFromMs(l.tmux.now()), launched_at }];
    await l.store.update(id, (current) => ({ ...current, auto_resume: { attempts, next_at: null } }));
    const hint = async () => (await l.sessions.show({ session: "demo" })).hint;
    expect(await hint()).toBe("It ended and was restarted automatically; `tmpm stop demo` ends it for good.");
    l.tmux.advance(11 * 60_000);
    expect(await hint()).toBeNull();
    await l.sessions.close();
  });

  test.each([
    ["a clean end", async (l: Fixture) => l.tmux.exit("tmpm-demo", 0)],
    ["a stop on purpose", async (l: Fixture) => void (await l.sessions.stop({ session: "demo" }))],
  ])("is not resumed after %s", async (_, end) => {
    const l = await running();
    await end(l);
    await expect.poll(async () => (await recordOf(l, "demo")).state).toBe("stopped");
    await later(l, 120_000);
    expect([resumptions(l), (await recordOf(l, "demo")).state]).toEqual([0, "stopped"]);
    await l.sessions.close();
  });

  test.each<[string, Partial<SessionRecord>]>([
    ["ephemeral", { ephemeral: true }],
    ["paused", { paused_at: "2026-01-01T00:00:00Z" }],
    ["adopted", { adopted: { socket: "/s", tmux_name: "x", at: "2026-01-01T00:00:00Z" } }],
    ["never launched by us", { launched_at: null }],
    ["imported and not launched here since", { imported: { from: "ao-rs", at: "2027-01-01T00:00:00Z" } }],
  ])("is not resumed when it is %s", async (_, change) => {
    const l = await running();
    await l.store.update((await recordOf(l, "demo")).id, (current) => ({ ...current, ...change }));
    l.tmux.close("tmpm-demo");
    await expect.poll(async () => (await recordOf(l, "demo")).state).not.toBe("active");
    await later(l, 120_000);
    expect(resumptions(l)).toBe(0);
    await l.sessions.close();
  });

  test("is not resumed when auto-resume is off", async () => {
    const l = await running({ settings: { autoResume: false } });
    l.tmux.close("tmpm-demo");
    await expect.poll(async () => (await recordOf(l, "demo")).state).toBe("stopped");
    await later(l, 120_000);
    expect(resumptions(l)).toBe(0);
    await l.sessions.close();
  });

  test("is not resumed when it is stopped while the resume is pending", async () => {
    const l = fixture();
    await l.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    l.tmux.close("tmpm-demo");
    await l.sessions.reconcile();
    expect((await recordOf(l, "demo")).auto_resume?.next_at).not.toBeNull();
    await l.sessions.stop({ session: "demo" });
    expect(await recordOf(l, "demo")).toMatchObject({ stop_cause: "deliberate", auto_resume: null });
    l.sessions.start();
    await later(l, 120_000);
    expect(resumptions(l)).toBe(0);
    await l.sessions.close();
  });

  test("a failed job is not run again; a failed agent resumes its conversation", async () => {
    const l = await running();
    await l.sessions.create({ agent: "command", cwd: "/w", name: "job", argv: ["/bin/cat"] });
    l.tmux.exit("tmpm-job", 2);
    l.tmux.exit("tmpm-demo", 2);
    await expect.poll(() => resumptions(l)).toBe(1);
    await later(l, 120_000);
    expect([resumptions(l), (await recordOf(l, "job")).state, (await recordOf(l, "demo")).state]).toEqual([1, "stopped", "active"]);
    await l.sessions.close();
  });
});

describe("a session that keeps ending", () => {
  const dying: FakeProgram = (terminal) => {
    terminal.after(30_000, () => terminal.exit({ status: 1 }));
    return composerProgram({})(terminal);
  };

  test("is resumed three times, then parked with the reason, and reported; a user may retry once", async () => {
    const l = await running({ programs: { "composer-agent": dying } });
    await expect.poll(async () => (await recordOf(l, "demo")).stop_cause).toBe("resume_flapping");
    await expect
      .poll(() => l.events)
      .toContainEqual(expect.objectContaining({ type: "auto_resume_parked", deaths: 4, reason: "resume_flapping" }));
    expect(resumptions(l)).toBe(3);
    await later(l, 100_000);
    expect(resumptions(l)).toBe(3);
    expect((await l.sessions.show({ session: "demo" })).hint).toContain("tmpm resume demo");
    await l.sessions.resume({ session: "demo" });
    await expect.poll(() => resumptions(l)).toBeGreaterThan(4);
    await l.sessions.close();
  });

  test("has its attempts reset after a long run", async () => {
    const slow: FakeProgram = (terminal) => {
      terminal.after(700_000, () => terminal.exit({ status: 1 }));
      return composerProgram({})(terminal);
    };
    const l = await running({ programs: { "composer-agent": slow } });
    await expect.poll(() => resumptions(l)).toBeGreaterThan(4);
    await l.sessions.close();
    expect((await recordOf(l, "demo")).stop_cause).not.toBe("resume_flapping");
  });

  test("an attempt that a crash interrupts is counted, and not repeated", async () => {
    const l = await running();
    l.crashAt("resume.intended");
    l.tmux.close("tmpm-demo");
    await expect.poll(() => l.faults.some(({ doing }) => doing.startsWith("resuming"))).toBe(true);
    expect((await recordOf(l, "demo")).auto_resume).toMatchObject({ attempts: [{ launched_at: null }], next_at: null });
    await l.sessions.close();
    expect(await panesOf(fixtureOf(l))).toEqual([]);
  });
});

test("a launch that keeps failing for a transient reason is retried at growing intervals, and few attempts are stored", async () => {
  const tried: number[] = [];
  let fails = false;
  const l = await running({
    lens: (driver) => ({
      ...driver,
      create: (request) => {
        if (!fails) return driver.create(request);
        tried.push(l.tmux.now());
        throw new TmpmError("TMUX_FAILED", "tmux has no room");
      },
    }),
  });
  fails = true;
  l.tmux.close("tmpm-demo");
  const seconds = [10, 60, 120, 240, 480, 960, 1_800, 1_800];
  await expect.poll(() => tried.length).toBeGreaterThan(seconds.length);
  const early = seconds.filter((delay, n) => (tried[n + 1] ?? 0) - (tried[n] ?? 0) < delay * 1_000);
  expect(early).toEqual([]);
  expect((await recordOf(l, "demo")).auto_resume?.attempts.length).toBeLessThanOrEqual(8);
  fails = false;
  await expect.poll(async () => (await recordOf(l, "demo")).state).toBe("active");
  await l.sessions.close();
});

describe("counted attempts", () => {
  const NOW = Date.UTC(2026, 0, 1, 1);
  const at = (minutesAgo: number) => timestampFromMs(NOW - minutesAgo * 60_000);
  const recordWith = (launched_at: string, attempts: AutoResume["attempts"]) =>
    SessionRecord.parse({
      id: "00000000-0000-4000-8000-000000000001",
      name: "demo",
      tmux_name: "tmpm-demo",
      cwd: "/w",
      state: "active",
      agent: "shell",
      created_at: at(60),
      updated_at: at(60),
      launched_at,
      auto_resume: { attempts, next_at: null },
    });
  const attempt = (minutesAgo: number) => ({ at: at(minutesAgo), launched_at: at(minutesAgo) });

  test("attempts of the last ten minutes count", () => {
    const attempts = [attempt(11), attempt(9), attempt(1)];
    expect(recentAttempts(recordWith(at(1), attempts), NOW)).toEqual(attempts.slice(1));
  });

  test("are reset by a deliberate launch, and ignored if the clock was set back", () => {
    const attempts = [attempt(3), attempt(2), attempt(1)];
    expect(recentAttempts(recordWith(at(0.5), attempts), NOW)).toEqual([]);
    expect(recentAttempts(recordWith(at(1), attempts), NOW - 3_600_000)).toEqual([]);
  });
});
