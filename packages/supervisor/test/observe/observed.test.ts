import { afterEach, describe, expect } from "vitest";
import { fakeFixture } from "../fixtures/fake-fixture.js";
import { job, panesOf, recordOf, recordsOf, type ServerHostFixture } from "../fixtures/host-fixture.js";
import { ALL_HOSTS, oneIn } from "../fixtures/sampled-hosts.js";
import { tmuxFixture } from "../fixtures/tmux-fixture.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const FROZEN_MS = scale >= 10 ? 10_000 : 1_500;
const MANY = scale >= 10 ? 20 : 6;

const open = new Set<ServerHostFixture>();
afterEach(async () => {
  for (const fixture of open) await fixture.dispose();
  open.clear();
});

const KINDS = [
  { kind: "the fake", make: fakeFixture, every: 1 },
  { kind: "a real tmux", make: () => tmuxFixture(), every: ALL_HOSTS ? 1 : 3 },
] as const;

async function create(fixture: ServerHostFixture, ...names: readonly string[]) {
  for (const name of names) await fixture.sessions.create({ ...job, name, cwd: fixture.cwd });
}

const states = async (fixture: Pick<ServerHostFixture, "store">) =>
  new Map([...(await recordsOf(fixture))].map(([name, { state }]) => [name, state]));

describe.each(KINDS)("on $kind", ({ make, every }) => {
  const declare = oneIn(every);
  const start = async () => {
    const fixture = await make();
    open.add(fixture);
    return fixture;
  };

  declare("adopts an unknown tmpm- session once, with its real directory, however often it is checked", async () => {
    const fixture = await start();
    await create(fixture, "one");
    await fixture.open("tmpm-x");
    await fixture.open("work");
    const [first] = (await fixture.sessions.reconcile()).findings;
    expect(first).toMatchObject({ name: "x", outcome: "adopted", to: "active", reason: "external_session" });
    expect((await fixture.sessions.reconcile()).findings).toEqual([]);
    expect((await fixture.restarted().reconcile()).findings).toEqual([]);
    expect([...(await recordsOf(fixture)).keys()].sort()).toEqual(["one", "x"]);
    const record = await recordOf(fixture, "x");
    expect(record).toMatchObject({
      cwd: fixture.cwd,
      tmux_name: "tmpm-x",
      workspace_owned: false,
      launched_at: null,
      adopted: { tmux_name: "tmpm-x" },
    });
    expect((await panesOf(fixture)).find(({ tmuxName }) => tmuxName === "tmpm-x")?.sessionId).toBe(record.id);
    expect(fixture.events.filter(({ type }) => type === "session_adopted")).toHaveLength(1);
    expect((await panesOf(fixture)).find(({ tmuxName }) => tmuxName === "work")?.sessionId).toBeNull();
  });

  declare("discovers and shows other sessions, and leaves them alone until the user adopts them", async () => {
    const fixture = await start();
    await create(fixture, "one");
    await fixture.open("work");
    await fixture.foreign.open("theirs");
    const { discovered } = await fixture.sessions.discover({});
    expect(discovered.map(({ name, adoptable }) => [name, adoptable]).sort()).toEqual([
      ["theirs", true],
      ["work", true],
    ]);
    await fixture.sessions.discover({});
    expect(fixture.events.filter(({ type }) => type === "session_discovered")).toHaveLength(2);
    const adopted = await fixture.sessions.adopt({ target: "theirs", name: "mine", agent: "command" });
    expect(adopted.record).toMatchObject({ name: "mine", agent: "command", state: "active", pane: { socket: fixture.foreign.socket } });
    await fixture.sessions.adopt({ target: "work" });
    expect((await fixture.sessions.discover({})).discovered).toEqual([]);
    expect((await fixture.sessions.capture({ session: "mine" })).live).toBe(true);
    expect((await fixture.sessions.attach({ session: "mine" })).argv).toContain(fixture.foreign.socket);
    await expect(fixture.sessions.adopt({ target: "theirs" })).rejects.toMatchObject({
      code: "ALREADY_MANAGED",
      details: { name: "mine" },
    });
    const removed = await fixture.sessions.remove({ session: "work" });
    expect(removed).toMatchObject({
      left_alone: expect.stringContaining("keeps running"),
      session: { record: { state: "decommissioned" } },
    });
    expect((await panesOf(fixture)).find(({ tmuxName }) => tmuxName === "work")).toMatchObject({ sessionId: null, exit: null });
    await fixture.foreign.close("theirs");
    await fixture.sessions.reconcile();
    expect(await recordOf(fixture, "mine")).toMatchObject({ state: "stopped", stop_cause: "unexpected", auto_resume: null });
  });

  declare("adopt names the exact match, or the candidates", async () => {
    const fixture = await start();
    await create(fixture, "one");
    await fixture.open("twice");
    await fixture.foreign.open("twice");
    await expect(fixture.sessions.adopt({ target: "" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(fixture.sessions.adopt({ target: "twic" })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await expect(fixture.sessions.adopt({ target: "twice" })).rejects.toMatchObject({
      code: "SESSION_AMBIGUOUS",
      details: { candidates: [{}, {}] },
    });
    await expect(fixture.sessions.adopt({ target: "twice", name: "one" })).rejects.toMatchObject({ code: "SESSION_AMBIGUOUS" });
    await expect(fixture.sessions.adopt({ target: "tmpm-one" })).rejects.toMatchObject({ code: "ALREADY_MANAGED" });
    const foreign = { target: "twice", socket: fixture.foreign.socket };
    await expect(fixture.sessions.adopt({ ...foreign, name: "one" })).rejects.toMatchObject({ code: "NAME_TAKEN" });
    await expect(fixture.sessions.adopt({ ...foreign, agent: "nobody" })).rejects.toMatchObject({ code: "AGENT_UNKNOWN" });
    expect((await fixture.sessions.discover({})).discovered).toHaveLength(2);
    expect((await fixture.sessions.adopt(foreign)).record.name).toBe("twice");
  });

  declare("restores a lost record from its terminal's tag, with the same id", async () => {
    const fixture = await start();
    await create(fixture, "one", "two");
    const before = await recordOf(fixture, "one");
    await fixture.store.delete(before.id);
    expect((await fixture.sessions.reconcile()).findings).toMatchObject([
      { id: before.id, name: "one", outcome: "rebuilt", reason: "record_lost" },
    ]);
    expect(await recordOf(fixture, "one")).toMatchObject({ id: before.id, cwd: fixture.cwd, pane: before.pane, adopted: null });
    expect((await fixture.sessions.reconcile()).findings).toEqual([]);
  });

  declare("two homes on one tmux server leave each other's sessions alone, and adopt a foreign session once", async () => {
    const fixture = await start();
    await create(fixture, "ours");
    const other = fixture.anotherHome();
    await other.sessions.create({ ...job, name: "theirs", cwd: fixture.cwd });
    await fixture.open("tmpm-stray");
    const found = await Promise.all([fixture.sessions.reconcile(), other.sessions.reconcile()]);
    expect(found.flatMap(({ findings }) => findings.filter(({ outcome }) => outcome === "adopted"))).toHaveLength(1);
    await Promise.all([fixture.sessions.reconcile(), other.sessions.reconcile()]);
    const [ours, theirs] = await Promise.all([states(fixture), states(other)]);
    expect([ours.get("ours"), ours.has("theirs"), theirs.get("theirs"), theirs.has("ours")]).toEqual(["active", false, "active", false]);
    expect(ours.size + theirs.size).toBe(3);
    expect((await fixture.sessions.discover({})).discovered).toContainEqual(
      expect.objectContaining({ name: "tmpm-theirs", adoptable: false, reason: "it belongs to another tmpm" }),
    );
    await expect(fixture.sessions.adopt({ target: "tmpm-theirs" })).rejects.toMatchObject({ code: "PANE_FOREIGN" });
  });

  declare("a session that seemed gone is recovered with its terminal, but not one that was stopped on purpose", async () => {
    const fixture = await start();
    await create(fixture, "lost", "rests", "done");
    const before = await recordsOf(fixture);
    const forget = (name: string, change: object) =>
      fixture.store.update(before.get(name)?.id ?? "", (current) => ({ ...current, pane: null, pid: null, ...change }));
    await forget("lost", { state: "stopped", stop_cause: "unexpected" });
    await forget("rests", { state: "stopped", stop_cause: "deliberate" });
    await forget("done", { state: "decommissioned" });
    const { findings } = await fixture.sessions.reconcile();
    expect(Object.fromEntries(findings.map(({ name, outcome, to }) => [name, [outcome, to]]))).toEqual({
      lost: ["found", "active"],
      rests: ["left", null],
      done: ["left", null],
    });
    const { id, pane, pid, launched_at } = before.get("lost") ?? {};
    expect(await recordOf(fixture, "lost")).toMatchObject({ id, pane, pid, launched_at, state: "active", stop_cause: null });
    expect(await panesOf(fixture)).toHaveLength(3);
    expect((await states(fixture)).get("done")).toBe("decommissioned");
  });

  declare("a renamed tmux session remains the same session, by its terminal", async () => {
    const fixture = await start();
    await create(fixture, "demo");
    fixture.sessions.start();
    await fixture.rename("tmpm-demo", "tmpm-other");
    await expect.poll(async () => (await recordOf(fixture, "demo")).tmux_name).toBe("tmpm-other");
    await fixture.open("tmpm-demo");
    await expect.poll(async () => [...(await recordsOf(fixture)).keys()].sort()).toEqual(["demo", "demo-2"]);
    expect(fixture.events).toContainEqual(
      expect.objectContaining({ type: "session_renamed", from: "demo", to: "other", reason: "renamed_in_tmux" }),
    );
    await fixture.sessions.stop({ session: "demo" });
    expect((await panesOf(fixture)).map(({ tmuxName }) => tmuxName)).toEqual(["tmpm-demo"]);
  });

  declare("after a restart of tmux, a foreign session with a reused pane id is left alone", async () => {
    const fixture = await start();
    await create(fixture, "one");
    const { pane } = await recordOf(fixture, "one");
    await fixture.restartServer();
    await fixture.open("stranger");
    await fixture.sessions.reconcile();
    expect(await recordOf(fixture, "one")).toMatchObject({ state: "stopped", stop_cause: "unexpected" });
    await fixture.sessions.stop({ session: "one" });
    const panes = await panesOf(fixture);
    expect(panes.map(({ identity }) => identity.pane_id)).toContain(pane?.pane_id);
    expect(panes.every(({ sessionId }) => sessionId === null)).toBe(true);
  });

  declare(`a tmux frozen for ${FROZEN_MS} ms changes no record of ${MANY} sessions, and creates and adopts none twice`, async () => {
    const fixture = await start();
    const names = Array.from({ length: MANY }, (_, index) => `s${index}`);
    await create(fixture, ...names);
    const adopted = await (async () => {
      await fixture.foreign.open("elsewhere");
      return fixture.sessions.adopt({ target: "elsewhere" });
    })();
    fixture.sessions.start();
    const essential = async () =>
      [...(await recordsOf(fixture)).values()].map(({ id, state, pane, stop_cause, launched_at }) => ({
        id,
        state,
        pane,
        stop_cause,
        launched_at,
      }));
    const before = await essential();
    await fixture.stopServer();
    const until = Date.now() + (fixture.cwd === "/w" ? 0 : FROZEN_MS);
    const report = await fixture.sessions.reconcile();
    expect(report.unobservable).toMatchObject([{ socket: fixture.driver.socket, error: { code: "TMUX_UNRESPONSIVE" } }]);
    expect(report.findings.every(({ outcome }) => outcome === "unknown")).toBe(true);
    expect((await fixture.sessions.capture({ session: adopted.record.id })).live).toBe(true);
    await expect.poll(() => Date.now() >= until).toBe(true);
    expect(await essential()).toEqual(before);
    await fixture.continueServer();
    await expect.poll(async () => (await fixture.sessions.reconcile()).live).toBe(MANY + 1);
    expect(await essential()).toEqual(before);
    expect(await panesOf(fixture)).toHaveLength(MANY);
    expect(fixture.events.filter(({ type }) => type === "session_state_changed" || type === "session_adopted").length).toBe(MANY + 1);
  });

  declare("the death of the whole server is confirmed again and reported, and every session resumes", async () => {
    const fixture = await start();
    const names = ["a", "b", "c", "d"];
    await create(fixture, ...names);
    const ids = (await Promise.all(names.map((name) => recordOf(fixture, name)))).map(({ id }) => id);
    fixture.sessions.start();
    await fixture.killServer();
    await expect.poll(async () => fixture.events.filter(({ type }) => type === "session_resumed").length).toBe(4);
    await expect.poll(async () => [...(await states(fixture)).values()]).toEqual(["active", "active", "active", "active"]);
    expect(fixture.events.filter(({ type }) => type === "observer_suspected")).toEqual([
      expect.objectContaining({ affected: 4, total: 4, reason: "simultaneous_change" }),
    ]);
    expect((await panesOf(fixture)).map(({ sessionId }) => sessionId).sort()).toEqual(ids.sort());
  });

  declare("sessions are stopped when no server runs, and observing starts none", async () => {
    const fixture = await start();
    await create(fixture, "one");
    await fixture.killServer();
    const { findings } = await fixture.restarted().reconcile();
    expect(findings).toMatchObject([{ name: "one", to: "stopped", reason: "terminal_gone" }]);
    expect(await fixture.driver.server()).toMatchObject({ kind: "absent" });
    expect((await fixture.sessions.discover({})).discovered).toEqual([]);
  });

  declare("a dry run reports changes and makes none", async () => {
    const fixture = await start();
    await create(fixture, "gone", "lives");
    await fixture.open("tmpm-x");
    await fixture.close("tmpm-gone");
    const before = await fixture.store.list();
    const tried = await fixture.sessions.reconcile({ dry_run: true });
    expect(tried).toMatchObject({ dry_run: true, live: 1 });
    expect(Object.fromEntries(tried.findings.map(({ name, outcome, to }) => [name, [outcome, to]]))).toEqual({
      gone: ["changed", "stopped"],
      "tmpm-x": ["adopted", "active"],
    });
    expect(await fixture.store.list()).toEqual(before);
    expect((await panesOf(fixture)).filter(({ sessionId }) => sessionId === null)).toHaveLength(1);
    expect((await fixture.sessions.reconcile()).findings.map(({ name, to }) => [name, to]).sort()).toEqual([
      ["gone", "stopped"],
      ["x", "active"],
    ]);
  });
});
