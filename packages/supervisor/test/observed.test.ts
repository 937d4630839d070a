import { afterEach, describe, expect } from "vitest";
import { job, panesOf, recordOf, recordsOf, type ServerBed } from "./bed.js";
import { fakeBed } from "./fake-bed.js";
import { ALL_HOSTS, oneIn } from "./sampled-hosts.js";
import { tmuxBed } from "./tmux-bed.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const FROZEN_MS = scale >= 10 ? 10_000 : 1_500;
const MANY = scale >= 10 ? 20 : 6;

const open = new Set<ServerBed>();
afterEach(async () => {
  for (const bed of open) await bed.dispose();
  open.clear();
});

const KINDS = [
  { kind: "the fake", make: fakeBed, every: 1 },
  { kind: "a real tmux", make: () => tmuxBed(), every: ALL_HOSTS ? 1 : 3 },
] as const;

async function create(bed: ServerBed, ...names: readonly string[]) {
  for (const name of names) await bed.sessions.create({ ...job, name, cwd: bed.cwd });
}

const states = async (bed: Pick<ServerBed, "store">) => new Map([...(await recordsOf(bed))].map(([name, { state }]) => [name, state]));

describe.each(KINDS)("on $kind", ({ make, every }) => {
  const declare = oneIn(every);
  const start = async () => {
    const bed = await make();
    open.add(bed);
    return bed;
  };

  declare("an unknown tmpm- session is adopted once, with its real directory, however often it is checked", async () => {
    const bed = await start();
    await create(bed, "one");
    await bed.open("tmpm-x");
    await bed.open("work");
    const [first] = (await bed.sessions.reconcile()).findings;
    expect(first).toMatchObject({ name: "x", outcome: "adopted", to: "active", reason: "external_session" });
    expect((await bed.sessions.reconcile()).findings).toEqual([]);
    expect((await bed.restarted().reconcile()).findings).toEqual([]);
    expect([...(await recordsOf(bed)).keys()].sort()).toEqual(["one", "x"]);
    const record = await recordOf(bed, "x");
    expect(record).toMatchObject({
      cwd: bed.cwd,
      tmux_name: "tmpm-x",
      workspace_owned: false,
      launched_at: null,
      adopted: { tmux_name: "tmpm-x" },
    });
    expect((await panesOf(bed)).find(({ tmuxName }) => tmuxName === "tmpm-x")?.sessionId).toBe(record.id);
    expect(bed.events.filter(({ type }) => type === "session_adopted")).toHaveLength(1);
    expect((await panesOf(bed)).find(({ tmuxName }) => tmuxName === "work")?.sessionId).toBeNull();
  });

  declare("other sessions are discovered and shown, and not touched until the user adopts them", async () => {
    const bed = await start();
    await create(bed, "one");
    await bed.open("work");
    await bed.foreign.open("theirs");
    const { discovered } = await bed.sessions.discover({});
    expect(discovered.map(({ name, adoptable }) => [name, adoptable]).sort()).toEqual([
      ["theirs", true],
      ["work", true],
    ]);
    await bed.sessions.discover({});
    expect(bed.events.filter(({ type }) => type === "session_discovered")).toHaveLength(2);
    const adopted = await bed.sessions.adopt({ target: "theirs", name: "mine", agent: "command" });
    expect(adopted.record).toMatchObject({ name: "mine", agent: "command", state: "active", pane: { socket: bed.foreign.socket } });
    await bed.sessions.adopt({ target: "work" });
    expect((await bed.sessions.discover({})).discovered).toEqual([]);
    expect((await bed.sessions.capture({ session: "mine" })).live).toBe(true);
    expect((await bed.sessions.attach({ session: "mine" })).argv).toContain(bed.foreign.socket);
    await expect(bed.sessions.adopt({ target: "theirs" })).rejects.toMatchObject({ code: "ALREADY_MANAGED", details: { name: "mine" } });
    const removed = await bed.sessions.remove({ session: "work" });
    expect(removed).toMatchObject({
      left_alone: expect.stringContaining("keeps running"),
      session: { record: { state: "decommissioned" } },
    });
    expect((await panesOf(bed)).find(({ tmuxName }) => tmuxName === "work")).toMatchObject({ sessionId: null, exit: null });
    await bed.foreign.close("theirs");
    await bed.sessions.reconcile();
    expect(await recordOf(bed, "mine")).toMatchObject({ state: "stopped", stop_cause: "unexpected", auto_resume: null });
  });

  declare("adopting names what is exactly meant, or says what could be", async () => {
    const bed = await start();
    await create(bed, "one");
    await bed.open("twice");
    await bed.foreign.open("twice");
    await expect(bed.sessions.adopt({ target: "" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(bed.sessions.adopt({ target: "twic" })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await expect(bed.sessions.adopt({ target: "twice" })).rejects.toMatchObject({
      code: "SESSION_AMBIGUOUS",
      details: { candidates: [{}, {}] },
    });
    await expect(bed.sessions.adopt({ target: "twice", name: "one" })).rejects.toMatchObject({ code: "SESSION_AMBIGUOUS" });
    await expect(bed.sessions.adopt({ target: "tmpm-one" })).rejects.toMatchObject({ code: "ALREADY_MANAGED" });
    const foreign = { target: "twice", socket: bed.foreign.socket };
    await expect(bed.sessions.adopt({ ...foreign, name: "one" })).rejects.toMatchObject({ code: "NAME_TAKEN" });
    await expect(bed.sessions.adopt({ ...foreign, agent: "nobody" })).rejects.toMatchObject({ code: "AGENT_UNKNOWN" });
    expect((await bed.sessions.discover({})).discovered).toHaveLength(2);
    expect((await bed.sessions.adopt(foreign)).record.name).toBe("twice");
  });

  declare("a lost record is made again from the tag of its terminal, with the same id", async () => {
    const bed = await start();
    await create(bed, "one", "two");
    const before = await recordOf(bed, "one");
    await bed.store.delete(before.id);
    expect((await bed.sessions.reconcile()).findings).toMatchObject([
      { id: before.id, name: "one", outcome: "rebuilt", reason: "record_lost" },
    ]);
    expect(await recordOf(bed, "one")).toMatchObject({ id: before.id, cwd: bed.cwd, pane: before.pane, adopted: null });
    expect((await bed.sessions.reconcile()).findings).toEqual([]);
  });

  declare("two homes on one tmux server leave each other's sessions alone, and adopt a stranger once between them", async () => {
    const bed = await start();
    await create(bed, "ours");
    const other = bed.anotherHome();
    await other.sessions.create({ ...job, name: "theirs", cwd: bed.cwd });
    await bed.open("tmpm-stray");
    const found = await Promise.all([bed.sessions.reconcile(), other.sessions.reconcile()]);
    expect(found.flatMap(({ findings }) => findings.filter(({ outcome }) => outcome === "adopted"))).toHaveLength(1);
    await Promise.all([bed.sessions.reconcile(), other.sessions.reconcile()]);
    const [ours, theirs] = await Promise.all([states(bed), states(other)]);
    expect([ours.get("ours"), ours.has("theirs"), theirs.get("theirs"), theirs.has("ours")]).toEqual(["active", false, "active", false]);
    expect(ours.size + theirs.size).toBe(3);
    expect((await bed.sessions.discover({})).discovered).toContainEqual(
      expect.objectContaining({ name: "tmpm-theirs", adoptable: false, reason: "it belongs to another tmpm" }),
    );
    await expect(bed.sessions.adopt({ target: "tmpm-theirs" })).rejects.toMatchObject({ code: "PANE_FOREIGN" });
  });

  declare(
    "a session believed to be gone comes back as itself when its terminal is there; one that was stopped on purpose does not",
    async () => {
      const bed = await start();
      await create(bed, "lost", "rests", "done");
      const before = await recordsOf(bed);
      const forget = (name: string, change: object) =>
        bed.store.update(before.get(name)?.id ?? "", (current) => ({ ...current, pane: null, pid: null, ...change }));
      await forget("lost", { state: "stopped", stop_cause: "unexpected" });
      await forget("rests", { state: "stopped", stop_cause: "deliberate" });
      await forget("done", { state: "decommissioned" });
      const { findings } = await bed.sessions.reconcile();
      expect(Object.fromEntries(findings.map(({ name, outcome, to }) => [name, [outcome, to]]))).toEqual({
        lost: ["found", "active"],
        rests: ["left", null],
        done: ["left", null],
      });
      const { id, pane, pid, launched_at } = before.get("lost") ?? {};
      expect(await recordOf(bed, "lost")).toMatchObject({ id, pane, pid, launched_at, state: "active", stop_cause: null });
      expect(await panesOf(bed)).toHaveLength(3);
      expect((await states(bed)).get("done")).toBe("decommissioned");
    },
  );

  declare("a tmux session that is renamed stays the session it is, by its terminal", async () => {
    const bed = await start();
    await create(bed, "demo");
    bed.sessions.start();
    await bed.rename("tmpm-demo", "tmpm-other");
    await expect.poll(async () => (await recordOf(bed, "demo")).tmux_name).toBe("tmpm-other");
    await bed.open("tmpm-demo");
    await expect.poll(async () => [...(await recordsOf(bed)).keys()].sort()).toEqual(["demo", "demo-2"]);
    expect(bed.events).toContainEqual(
      expect.objectContaining({ type: "session_renamed", from: "demo", to: "other", reason: "renamed_in_tmux" }),
    );
    await bed.sessions.stop({ session: "demo" });
    expect((await panesOf(bed)).map(({ tmuxName }) => tmuxName)).toEqual(["tmpm-demo"]);
  });

  declare("after a restart of tmux, a stranger that has a session's pane id is not touched", async () => {
    const bed = await start();
    await create(bed, "one");
    const { pane } = await recordOf(bed, "one");
    await bed.restartServer();
    await bed.open("stranger");
    await bed.sessions.reconcile();
    expect(await recordOf(bed, "one")).toMatchObject({ state: "stopped", stop_cause: "unexpected" });
    await bed.sessions.stop({ session: "one" });
    const panes = await panesOf(bed);
    expect(panes.map(({ identity }) => identity.pane_id)).toContain(pane?.pane_id);
    expect(panes.every(({ sessionId }) => sessionId === null)).toBe(true);
  });

  declare(
    `a tmux that does not answer for ${FROZEN_MS} ms changes no record of ${MANY} sessions, adopts nothing and makes nothing twice`,
    async () => {
      const bed = await start();
      const names = Array.from({ length: MANY }, (_, index) => `s${index}`);
      await create(bed, ...names);
      const adopted = await (async () => {
        await bed.foreign.open("elsewhere");
        return bed.sessions.adopt({ target: "elsewhere" });
      })();
      bed.sessions.start();
      const essential = async () =>
        [...(await recordsOf(bed)).values()].map(({ id, state, pane, stop_cause, launched_at }) => ({
          id,
          state,
          pane,
          stop_cause,
          launched_at,
        }));
      const before = await essential();
      await bed.stopServer();
      const until = Date.now() + (bed.cwd === "/w" ? 0 : FROZEN_MS);
      const report = await bed.sessions.reconcile();
      expect(report.unobservable).toMatchObject([{ socket: bed.driver.socket, error: { code: "TMUX_UNRESPONSIVE" } }]);
      expect(report.findings.every(({ outcome }) => outcome === "unknown")).toBe(true);
      expect((await bed.sessions.capture({ session: adopted.record.id })).live).toBe(true);
      await expect.poll(() => Date.now() >= until).toBe(true);
      expect(await essential()).toEqual(before);
      await bed.continueServer();
      await expect.poll(async () => (await bed.sessions.reconcile()).live).toBe(MANY + 1);
      expect(await essential()).toEqual(before);
      expect(await panesOf(bed)).toHaveLength(MANY);
      expect(bed.events.filter(({ type }) => type === "session_state_changed" || type === "session_adopted").length).toBe(MANY + 1);
    },
  );

  declare("when the whole server dies, the loss is confirmed once more, reported, and every session comes back as itself", async () => {
    const bed = await start();
    const names = ["a", "b", "c", "d"];
    await create(bed, ...names);
    const ids = (await Promise.all(names.map((name) => recordOf(bed, name)))).map(({ id }) => id);
    bed.sessions.start();
    await bed.killServer();
    await expect.poll(async () => bed.events.filter(({ type }) => type === "session_resumed").length).toBe(4);
    await expect.poll(async () => [...(await states(bed)).values()]).toEqual(["active", "active", "active", "active"]);
    expect(bed.events.filter(({ type }) => type === "observer_suspected")).toEqual([
      expect.objectContaining({ affected: 4, total: 4, reason: "simultaneous_change" }),
    ]);
    expect((await panesOf(bed)).map(({ sessionId }) => sessionId).sort()).toEqual(ids.sort());
  });

  declare("where no server runs at all, sessions are stopped, and nothing is started by looking", async () => {
    const bed = await start();
    await create(bed, "one");
    await bed.killServer();
    const { findings } = await bed.restarted().reconcile();
    expect(findings).toMatchObject([{ name: "one", to: "stopped", reason: "terminal_gone" }]);
    expect(await bed.driver.server()).toMatchObject({ kind: "absent" });
    expect((await bed.sessions.discover({})).discovered).toEqual([]);
  });

  declare("a dry run reports what would be done and does nothing", async () => {
    const bed = await start();
    await create(bed, "gone", "lives");
    await bed.open("tmpm-x");
    await bed.close("tmpm-gone");
    const before = await bed.store.list();
    const tried = await bed.sessions.reconcile({ dry_run: true });
    expect(tried).toMatchObject({ dry_run: true, live: 1 });
    expect(Object.fromEntries(tried.findings.map(({ name, outcome, to }) => [name, [outcome, to]]))).toEqual({
      gone: ["changed", "stopped"],
      "tmpm-x": ["adopted", "active"],
    });
    expect(await bed.store.list()).toEqual(before);
    expect((await panesOf(bed)).filter(({ sessionId }) => sessionId === null)).toHaveLength(1);
    expect((await bed.sessions.reconcile()).findings.map(({ name, to }) => [name, to]).sort()).toEqual([
      ["gone", "stopped"],
      ["x", "active"],
    ]);
  });
});
