import type { AgentProcess } from "@tmpm/agents";
import { TmpmError } from "@tmpm/core";
import { tmuxHost } from "@tmpm/tmux-driver";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { describe, expect, test } from "vitest";
import { CRASH, fixture } from "../fixtures/fixture.js";
import { panesOf, recordOf, recordsOf } from "../fixtures/host-fixture.js";
import { randomly } from "../fixtures/randomly.js";

const native = (process: Partial<AgentProcess>): AgentProcess => ({
  pid: 77,
  agent: "claude",
  startedAt: 1_767_225_600.5,
  cwd: "/w",
  terminal: true,
  ancestors: [],
  ...process,
});

describe("agents outside tmux", () => {
  test("are listed with pid, start, directory and agent, cannot be adopted, and those in a pane are not counted twice", async () => {
    const processes: AgentProcess[] = [native({})];
    const l = fixture({ processes });
    await l.sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    l.tmux.openForeign("tmpm-x", ["cat"], "/x");
    const panes = await panesOf({ driver: l.tmux.driver });
    processes.push(
      ...panes.map(({ pid }, index) => native({ pid: 1_000_000 + index, ancestors: [5, pid] })),
      native({ pid: panes[0]?.pid ?? 0 }),
    );
    const { discovered } = await l.sessions.discover({});
    expect(discovered.filter(({ origin }) => origin === "native")).toEqual([
      {
        origin: "native",
        name: "claude",
        socket: null,
        pane_id: null,
        pid: 77,
        started_at: "2026-01-01T00:00:00.500Z",
        agent: "claude",
        cwd: "/w",
        viewers: null,
        adoptable: false,
        reason: "it does not run in a terminal that tmpm can control",
      },
    ]);
    expect(discovered.find(({ name }) => name === "tmpm-x")?.agent).toBe("claude");
    expect(
      l.events
        .filter(({ type }) => type === "session_discovered")
        .map((event) => ("origin" in event ? event.origin : null))
        .sort(),
    ).toEqual(["native", "tmux"]);
  });
});

test("are refused by every verb, with the reason", async () => {
  const l = fixture({ processes: [native({})] });
  await l.sessions.discover({});
  const refused = { code: "HOST_CANNOT", effect: "none", details: { origin: "native", pid: 77, agent: "claude" } };
  for (const target of ["77", "claude"]) await expect(l.sessions.adopt({ target })).rejects.toMatchObject(refused);
  await expect(l.sessions.send({ session: "77", text: "x" })).rejects.toMatchObject(refused);
  await expect(l.sessions.stop({ session: "77" })).rejects.toMatchObject(refused);
  await expect(l.sessions.send({ session: "claude", text: "x" })).rejects.toMatchObject({
    code: "SESSION_NOT_FOUND",
    hint: expect.stringContaining("tmpm new --agent claude"),
  });
  await expect(l.sessions.adopt({ target: "78" })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
});

test("do not include programs of a session, also while its host does not answer", async () => {
  const processes: AgentProcess[] = [native({})];
  const l = fixture({ processes });
  const { record } = (await l.sessions.create({ agent: "shell", cwd: "/w", name: "demo" })).session;
  processes.push(native({ pid: 78, ancestors: [record.pid ?? 0] }), native({ pid: 79, ancestors: [record.pane?.server_pid ?? 0] }));
  l.tmux.stopServer();
  const { discovered, unobservable } = await l.sessions.discover({});
  expect(discovered.map(({ pid }) => pid)).toEqual([77]);
  expect(unobservable).toHaveLength(1);
});

test("a missing tmux is reported only if a session exists", async () => {
  const l = fixture({ processes: [native({})] });
  await l.sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
  const missing = async () => ({ kind: "unknown", error: new TmpmError("TMUX_NOT_FOUND", "no tmux") }) as const;
  const without = { ...tmuxHost({ driver: l.tmux.driver }), list: missing };
  const bare = fixture({ tmux: l.tmux, processes: [native({})], ports: { hosts: [without], foreign: () => without } });
  expect(await bare.sessions.discover({})).toMatchObject({ discovered: [{ pid: 77 }], unobservable: [] });
  expect((await bare.sessions.reconcile()).unobservable).toEqual([]);
  await expect(bare.sessions.adopt({ target: "work" })).rejects.toMatchObject({ code: "TMUX_NOT_FOUND" });
  const ours = fixture({ tmux: l.tmux, store: l.store, ports: { hosts: [without] } });
  expect((await ours.sessions.reconcile()).unobservable).toHaveLength(1);
});

describe("automatic adoption", () => {
  test("a terminal with an unknown or missing directory is not adopted, with the reason, until that changes", async () => {
    const l = fixture();
    l.tmux.openForeign("tmpm-x", ["cat"], "/missing/now");
    l.tmux.openForeign("tmpm-y", ["cat"], "/w");
    l.tmux.failNext("directories", "unknown");
    const first = await l.sessions.reconcile();
    const second = await l.sessions.reconcile();
    expect(first.findings.map(({ outcome }) => outcome)).toContain("left");
    expect([...first.findings, ...second.findings].filter(({ outcome }) => outcome === "adopted")).toMatchObject([{ name: "y" }]);
    expect(second.findings.find(({ name }) => name === "tmpm-x")).toMatchObject({
      outcome: "left",
      reason: expect.stringContaining("/missing/now"),
    });
    expect([...(await recordsOf(l)).keys()]).toEqual(["y"]);
    expect(l.faults).toEqual([]);
  });

  test("does not adopt released terminals, ended ones, or other panes of our sessions", async () => {
    const l = fixture();
    l.tmux.openForeign("tmpm-x", ["cat"], "/w");
    await l.sessions.reconcile();
    const { id, pane } = await recordOf(l, "x");
    await l.store.update(id, (current) => ({ ...current, state: "decommissioned", pane: null }));
    if (pane !== null) await l.tmux.driver.release(pane);
    l.tmux.openForeign("tmpm-over", ["true"], "/w");
    const { findings } = await l.sessions.reconcile();
    expect(findings.map(({ name, outcome }) => [name, outcome]).sort()).toEqual([
      ["tmpm-over", "left"],
      ["tmpm-x", "left"],
    ]);
    expect((await recordsOf(l)).size).toBe(1);
    const again = await l.sessions.adopt({ target: "tmpm-x" });
    expect(again.record).toMatchObject({ name: "x", state: "active" });
    expect(again.record.id).not.toBe(id);
  });

  test("creates no second record for a terminal whose record is unreadable", async () => {
    const l = fixture();
    const { session } = await l.sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    const damaged = { kind: "damaged", id: session.record.id, project_id: "default", reason: "not JSON", path: "/s/x.json" } as const;
    const blind = fixture({ tmux: l.tmux, home: "fixture", store: { ...l.store, list: async () => [damaged], get: async () => damaged } });
    expect((await blind.sessions.reconcile()).findings).toEqual([]);
  });

  test.each(["adopt.tagged", "adopt.recorded"] as const)("interrupted at %s: the next reconcile knows the session, once", async (step) => {
    const l = fixture();
    l.tmux.openForeign("work", ["cat"], "/w");
    l.crashAt(step);
    await expect(l.sessions.adopt({ target: "work" })).rejects.toBe(CRASH);
    l.crashAt(null);
    await l.restarted().reconcile();
    const [pane] = await panesOf({ driver: l.tmux.driver });
    expect([...(await recordsOf(l)).values()]).toMatchObject([{ id: pane?.sessionId, name: "work", state: "active" }]);
  });
});

describe("an unresponsive foreign server", () => {
  test("does not stop the observation of our own server", async () => {
    const foreign = fakeTmux({ socket: "/fake/f.sock" });
    let silent = false;
    const hanging = { ...foreign.driver, list: () => (silent ? new Promise<never>(() => undefined) : foreign.driver.list()) };
    const l = fixture({ foreign: () => hanging, settings: { foreignSockets: ["/fake/f.sock"] } });
    foreign.openForeign("theirs", ["cat"], "/w");
    await l.sessions.adopt({ target: "theirs" });
    await l.sessions.create({ agent: "shell", cwd: "/w", name: "ours" });
    silent = true;
    l.sessions.start();
    const from = l.tmux.now();
    await expect.poll(async () => Date.parse((await l.sessions.show({ session: "ours" })).lastSeen) - from).toBeGreaterThan(60_000);
  });

  test("does not delay sessions of our own server, and its sessions do not count as gone", async () => {
    const foreign = fakeTmux({ socket: "/fake/f.sock" });
    const l = fixture({ foreign: () => foreign.driver, settings: { foreignSockets: ["/fake/f.sock"], autoResume: false } });
    foreign.openForeign("theirs", ["cat"], "/w");
    await l.sessions.adopt({ target: "theirs" });
    await l.sessions.create({ agent: "shell", cwd: "/w", name: "ours" });
    l.sessions.start();
    foreign.stopServer();
    l.tmux.exit("tmpm-ours", 3);
    await expect.poll(async () => (await recordOf(l, "ours")).exit?.status).toBe(3);
    expect((await l.sessions.reconcile()).unobservable).toMatchObject([{ socket: "/fake/f.sock" }]);
    expect((await l.sessions.discover({})).unobservable).toHaveLength(1);
    await expect(l.sessions.adopt({ target: "another" })).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE" });
    expect((await recordOf(l, "theirs")).state).toBe("active");
    foreign.continueServer();
    foreign.close("theirs");
    await expect.poll(async () => (await recordOf(l, "theirs")).state).toBe("stopped");
    await l.sessions.close();
  });
});

describe("last observed time", () => {
  test("survives a restart, and is written at most once a minute, and rarely for a quiet session", async () => {
    const l = fixture();
    await l.sessions.create({ agent: "command", cwd: "/w", name: "loud", argv: ["/bin/cat"] });
    await l.sessions.create({ agent: "command", cwd: "/w", name: "quiet", argv: ["/bin/cat"] });
    const before = await recordsOf(l);
    l.sessions.start();
    const from = l.tmux.now();
    await expect
      .poll(
        () => {
          l.tmux.write("tmpm-loud", "x\n");
          return l.tmux.now() - from > 1_200_000;
        },
        { interval: 1 },
      )
      .toBe(true);
    await l.sessions.close();
    const writes = async (name: string) => (await recordOf(l, name)).rev - (before.get(name)?.rev ?? 0);
    expect(await writes("loud")).toBeGreaterThan(2);
    expect(await writes("loud")).toBeLessThanOrEqual(21);
    expect(await writes("quiet")).toBeLessThanOrEqual(3);
    const { last_seen_at } = await recordOf(l, "loud");
    expect(Date.parse(last_seen_at ?? "")).toBeGreaterThan(from);
    expect(Date.parse((await l.restarted().show({ session: "loud" })).lastSeen)).toBeGreaterThanOrEqual(Date.parse(last_seen_at ?? ""));
  });
});

describe("simultaneous observation, creation and end", () => {
  test("terminates, creates nothing twice, and reports each end once", async () => {
    const l = fixture({ settings: { autoResume: false } });
    const chance = randomly();
    for (let round = 0; round < chance.rounds(100); round++) {
      const name = `s${round}`;
      const stranger = chance.below(4) === 0;
      const created = stranger
        ? Promise.resolve(l.tmux.openForeign(`tmpm-${name}`, ["cat"], "/w"))
        : l.sessions.create({ agent: "command", cwd: "/w", name, argv: ["/bin/cat"] });
      await Promise.all([created, l.sessions.reconcile(), l.sessions.discover({}), l.sessions.reconcile()]);
      const ending =
        chance.below(2) === 0 && !stranger ? l.sessions.stop({ session: name }) : Promise.resolve(l.tmux.close(`tmpm-${name}`));
      await Promise.all([ending, l.sessions.reconcile(), l.sessions.reconcile()]);
    }
    await l.sessions.reconcile();
    const records = await recordsOf(l);
    expect([...records.values()].every(({ state }) => state === "stopped")).toBe(true);
    expect(await panesOf({ driver: l.tmux.driver })).toEqual([]);
    const ids = l.events.flatMap((event) => (event.type === "session_state_changed" && event.to === "stopped" ? [event.session_id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(records.size);
    expect(l.faults).toEqual([]);
  });
});

describe("a session that is removed and continues running", () => {
  test("stays unmanaged until it is adopted explicitly (swimmers 64)", async () => {
    const l = fixture();
    const { id } = (await l.sessions.create({ agent: "shell", cwd: "/w", name: "build" })).session.record;
    const removed = await l.sessions.remove({ session: "build", keep_running: true });
    expect(removed).toMatchObject({
      session: { record: { state: "decommissioned" } },
      left_alone: "its program was kept running, as requested",
    });
    const [pane] = await panesOf({ driver: l.tmux.driver });
    expect(pane).toMatchObject({ tmuxName: "tmpm-build", exit: null });
    expect((await l.sessions.reconcile()).findings.filter(({ outcome }) => outcome !== "left")).toEqual([]);
    expect((await l.sessions.list({})).sessions).toEqual([]);
    await l.sessions.delete({ session: id, purge: true });
    expect(l.events.findLast(({ type }) => type === "session_deleted")).toMatchObject({ tmux_session_alive: true });
    const again = await l.sessions.adopt({ target: "tmpm-build" });
    expect(again.record).toMatchObject({ name: "build", state: "active" });
    expect(again.record.id).not.toBe(id);
  });

  test("releasing a session that does not run is refused", async () => {
    const l = fixture();
    await l.sessions.create({ agent: "shell", cwd: "/w", name: "build" });
    await l.sessions.stop({ session: "build" });
    await expect(l.sessions.remove({ session: "build", keep_running: true })).rejects.toMatchObject({ code: "INVALID_STATE" });
  });
});
