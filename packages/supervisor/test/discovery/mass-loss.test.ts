import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { type Fixture, fixture } from "../fixtures/fixture.js";
import { recordsOf } from "../fixtures/host-fixture.js";

const NAMES = Array.from({ length: 8 }, (_, index) => `s${index}`);

/** A supervisor whose own connection to tmux shows no terminal while `blind`, although all of them exist. */
async function withBlindDriver(seen: { blind: boolean }): Promise<Fixture> {
  const l = fixture({
    settings: { autoResume: false },
    lens: (driver) => ({
      ...driver,
      list: async () => (seen.blind ? { kind: "present", value: [] } : driver.list()),
      find: async (identity) => (seen.blind ? { kind: "absent", reason: "not in the list" } : driver.find(identity)),
    }),
  });
  for (const name of NAMES) await l.sessions.create({ agent: "shell", cwd: "/w", name });
  return l;
}

const active = async (l: Fixture) => [...(await recordsOf(l)).values()].filter(({ state }) => state === "active").length;
const doubts = (l: Fixture) => l.events.filter(({ type }) => type === "observer_suspected");

test("a session missing from a listing is queried individually, and no answer changes nothing", async () => {
  const silence = new TmpmError("TMUX_UNRESPONSIVE", "no answer");
  const l = fixture({
    lens: (driver) => ({
      ...driver,
      list: async () => ({ kind: "present", value: [] }),
      find: async () => ({ kind: "unknown", error: silence }),
    }),
  });
  for (const name of ["one", "two"]) await l.sessions.create({ agent: "shell", cwd: "/w", name });
  const { findings } = await l.sessions.reconcile();
  expect([findings, await active(l)]).toEqual([[], 2]);
});

describe("many sessions that disappear at once", () => {
  test("stay active while a second observation shows them, which is reported once", async () => {
    const seen = { blind: false };
    const l = await withBlindDriver(seen);
    l.sessions.start();
    seen.blind = true;
    const report = await l.sessions.reconcile();
    expect(report).toMatchObject({ doubted: { affected: 8, total: 8, confirmed: 0 }, live: 0 });
    expect(report.findings.map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual(NAMES.map(() => "unknown in_doubt"));
    const from = l.tmux.now();
    await expect.poll(() => l.tmux.now() - from > 60_000).toBe(true);
    expect([await active(l), doubts(l).length]).toEqual([8, 1]);
    seen.blind = false;
    await expect.poll(async () => (await l.sessions.reconcile()).live).toBe(8);
    await l.sessions.close();
    expect(await active(l)).toBe(8);
    expect(l.events.filter(({ type }) => type === "session_state_changed")).toHaveLength(8);
  });

  test("stay active when the second observation gets no answer", async () => {
    const seen = { blind: false };
    const l = await withBlindDriver(seen);
    seen.blind = true;
    l.tmux.stopServer();
    await l.sessions.reconcile();
    expect(await active(l)).toBe(8);
  });

  test("are stopped when both observations agree", async () => {
    const l = await withBlindDriver({ blind: false });
    for (const name of NAMES) l.tmux.close(`tmpm-${name}`);
    expect((await l.sessions.reconcile()).doubted).toEqual({ affected: 8, total: 8, confirmed: 8 });
    expect([await active(l), doubts(l).length]).toEqual([0, 1]);
  });

  test("a few of many, or all of a few, are stopped without a second observation", async () => {
    const l = await withBlindDriver({ blind: false });
    for (const name of NAMES.slice(0, 4)) l.tmux.close(`tmpm-${name}`);
    expect((await l.sessions.reconcile()).doubted).toBeNull();
    for (const name of NAMES.slice(4, 6)) l.tmux.close(`tmpm-${name}`);
    expect((await l.sessions.reconcile()).doubted).toBeNull();
    expect([await active(l), doubts(l).length]).toEqual([2, 0]);
  });
});
