import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import type { Step } from "../../src/index.js";
import { CRASH, type Fixture, fixture } from "../fixtures/fixture.js";

const SILENCE = { code: "TMUX_UNRESPONSIVE" };

async function panesOf({ tmux }: Fixture) {
  const answer = await tmux.driver.list();
  return answer.kind === "present" ? answer.value : [];
}

/** Its daemon ends at the step; the next one has not looked yet. */
async function crashed(each: Fixture, { at, during }: { readonly at: Step; readonly during: () => Promise<unknown> }) {
  each.crashAt(at);
  await expect(during()).rejects.toBe(CRASH);
  each.crashAt(null);
  return each.restarted();
}

async function stopped(options: Parameters<typeof fixture>[0] = {}): Promise<Fixture> {
  const each = fixture(options);
  await each.sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
  await each.sessions.stop({ session: "demo" });
  return each;
}

describe("a stopped session with an unfinished operation", () => {
  test.each([
    ["rename.intended", "two", (each: Fixture) => each.sessions.rename({ session: "demo", name: "two" })],
    ["resume.intended", "demo", (each: Fixture) => each.sessions.resume({ session: "demo" })],
    ["resume.opened", "demo", (each: Fixture) => each.sessions.resume({ session: "demo" })],
    ["restart.opening", "demo", (each: Fixture) => each.sessions.restart({ session: "demo" })],
  ] as const)("at %s is stopped, and usable after that", async (at, name, during) => {
    const each = await stopped();
    const next = await crashed(each, { at, during: () => during(each) });
    const { session, survivors } = await next.stop({ session: name });
    expect(survivors).toEqual([]);
    expect(session.record).toMatchObject({ name, tmux_name: `tmpm-${name}`, state: "stopped", intent: null, pane: null });
    expect(await panesOf(each)).toEqual([]);
    await next.reconcile();
    await next.rename({ session: name, name: "three" });
    expect((await next.resume({ session: "three" })).record.state).toBe("active");
    expect((await next.remove({ session: "three" })).session.record.state).toBe("decommissioned");
    expect(each.faults).toEqual([]);
  });

  test.each([
    ["restart", (sessions: Fixture["sessions"]) => sessions.restart({ session: "two" })],
    ["rename", (sessions: Fixture["sessions"]) => sessions.rename({ session: "two", name: "three" })],
    ["finish", (sessions: Fixture["sessions"]) => sessions.finish({ session: "two", how: "merge" })],
    ["delete", (sessions: Fixture["sessions"]) => sessions.delete({ session: "two" })],
  ] as const)("refuses a %s, which has no effect, until the operation is finished", async (_verb, next) => {
    const each = await stopped();
    const sessions = await crashed(each, {
      at: "rename.intended",
      during: () => each.sessions.rename({ session: "demo", name: "two" }),
    });
    const before = (await sessions.show({ session: "two" })).record;
    await expect(next(sessions)).rejects.toMatchObject({ code: "INVALID_STATE", effect: "none", details: { intent: { op: "rename" } } });
    expect((await sessions.show({ session: "two" })).record).toEqual(before);
    await sessions.reconcile();
    expect((await sessions.show({ session: "two" })).record).toMatchObject({ tmux_name: "tmpm-two", state: "stopped", intent: null });
  });

  test("is removed", async () => {
    const each = await stopped();
    const next = await crashed(each, { at: "resume.opened", during: () => each.sessions.resume({ session: "demo" }) });
    expect((await next.remove({ session: "demo" })).session.record).toMatchObject({ state: "decommissioned", intent: null });
    expect(await panesOf(each)).toEqual([]);
  });

  test("whose stop is interrupted too, is stopped by the next daemon", async () => {
    const each = await stopped();
    await crashed(each, { at: "resume.opened", during: () => each.sessions.resume({ session: "demo" }) });
    const next = await crashed(each, { at: "stop.intended", during: () => each.sessions.stop({ session: "demo" }) });
    await next.reconcile();
    expect((await next.show({ session: "demo" })).record).toMatchObject({ state: "stopped", intent: null, pane: null });
    expect(await panesOf(each)).toEqual([]);
  });
});

describe("a launch whose answer was lost", () => {
  test.each(["stop", "remove"] as const)("%s ends its program", async (verb) => {
    const each = fixture();
    each.tmux.failNext("create", "unknown");
    await expect(each.sessions.create({ agent: "shell", cwd: "/w", name: "demo" })).rejects.toMatchObject(SILENCE);
    expect(await panesOf(each)).toHaveLength(1);
    await each.sessions[verb]({ session: "demo" });
    expect(await panesOf(each)).toEqual([]);
  });

  test("cannot be stopped while its host does not answer", async () => {
    const each = fixture();
    each.tmux.failNext("create", "unknown");
    await expect(each.sessions.create({ agent: "shell", cwd: "/w", name: "demo" })).rejects.toMatchObject(SILENCE);
    each.tmux.stopServer();
    await expect(each.sessions.stop({ session: "demo" })).rejects.toMatchObject({ ...SILENCE, effect: "none" });
    expect((await each.sessions.show({ session: "demo" })).record).toMatchObject({ state: "provisioning", intent: { op: "create" } });
    each.tmux.continueServer();
    await each.sessions.stop({ session: "demo" });
    expect(await panesOf(each)).toEqual([]);
  });

  test("is not repeated by another resume while the host does not list its terminals", async () => {
    const each = await stopped();
    each.tmux.failNext("create", "unknown");
    await expect(each.sessions.resume({ session: "demo" })).rejects.toMatchObject(SILENCE);
    each.tmux.failNext("list", new TmpmError("TMUX_UNRESPONSIVE", "tmux did not answer"));
    await expect(each.sessions.resume({ session: "demo" })).rejects.toMatchObject({ ...SILENCE, effect: "none" });
    expect(await panesOf(each)).toHaveLength(1);
    expect((await each.sessions.resume({ session: "demo" })).record.state).toBe("active");
    expect(await panesOf(each)).toHaveLength(1);
  });

  test("a restart that finds its host silent after the program's end is continued later", async () => {
    const each = fixture();
    await each.sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    each.onStep((step) => {
      if (step === "restart.stopped") each.tmux.stopServer();
    });
    await expect(each.sessions.restart({ session: "demo" })).rejects.toMatchObject({ ...SILENCE, effect: "unknown" });
    each.onStep(null);
    await each.sessions.reconcile();
    each.tmux.continueServer();
    await each.sessions.reconcile();
    expect((await each.sessions.show({ session: "demo" })).record).toMatchObject({ state: "active", intent: null });
    expect(await panesOf(each)).toHaveLength(1);
  });
});

test("a rename that tmux shows before it is recorded is reported once, as requested", async () => {
  let looks = 0;
  const each = fixture({
    lens: (driver) => ({
      ...driver,
      list: () => {
        looks += 1;
        return driver.list();
      },
    }),
    ports: {
      async reached(step) {
        if (step !== "rename.renamed") return;
        const seen = looks;
        await expect.poll(() => looks).toBeGreaterThan(seen + 3);
      },
    },
  });
  await each.sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
  each.sessions.start();
  await each.sessions.rename({ session: "demo", name: "two" });
  const seen = looks;
  await expect.poll(() => looks).toBeGreaterThan(seen + 3);
  await each.sessions.close();
  expect(each.events.filter(({ type }) => type === "session_renamed")).toMatchObject([{ from: "demo", to: "two", reason: "asked" }]);
});
