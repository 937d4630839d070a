import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import { uploadFolder } from "@tmpm/workspace";
import { describe, expect, test } from "vitest";
import { requireOwner } from "../../src/owners/require-owner.js";
import { composerProgram } from "../fixtures/composer-program.js";
import { type Fixture, fixture } from "../fixtures/fixture.js";

interface Wanted {
  readonly owner?: string;
  readonly mode?: string;
  readonly evict_siblings?: boolean;
}

async function make({ sessions }: Fixture, name: string, wanted: Wanted = {}) {
  const { session, evicted } = await sessions.create({ agent: "composer", cwd: "/w", name, ...wanted });
  return { id: session.record.id, evicted: evicted.map((record) => record.name) };
}

async function states({ sessions }: Fixture) {
  const { sessions: all } = await sessions.list({});
  return Object.fromEntries(all.map(({ record }) => [record.name, record.state]));
}

const CHAT = { owner: "tui1", mode: "chat" } as const;

describe("session that replaces its siblings", () => {
  test("stops only the idle ones of the same owner and mode, which can be resumed (zeroclaw 13, 15)", async () => {
    const l = fixture();
    await make(l, "old-chat", CHAT);
    await make(l, "old-code", { ...CHAT, mode: "code" });
    await make(l, "other-chat", { ...CHAT, owner: "tui2" });
    await make(l, "no-ones", { mode: "chat" });
    expect((await make(l, "new-chat", { ...CHAT, evict_siblings: true })).evicted).toEqual(["old-chat"]);
    expect(await states(l)).toEqual({
      "old-chat": "stopped",
      "old-code": "active",
      "other-chat": "active",
      "no-ones": "active",
      "new-chat": "active",
    });
    expect((await l.sessions.show({ session: "old-chat" })).record.stop_cause).toBe("deliberate");
    await l.sessions.resume({ session: "old-chat" });
    expect((await states(l))["old-chat"]).toBe("active");
  });

  test("is an option of each creation: without it nothing is stopped (zeroclaw 42)", async () => {
    const l = fixture();
    await make(l, "old", CHAT);
    expect((await make(l, "spared", CHAT)).evicted).toEqual([]);
    expect((await make(l, "next", { ...CHAT, evict_siblings: true })).evicted.sort()).toEqual(["old", "spared"]);
  });

  test("keeps one with a running turn or a waiting prompt, and its text arrives (zeroclaw 14, 16)", async () => {
    const l = fixture();
    await make(l, "busy", CHAT);
    await make(l, "waited-for", CHAT);
    await l.sessions.send({ session: "busy", text: "work" });
    await l.sessions.pause({ session: "waited-for" });
    await l.sessions.send({ session: "waited-for", text: "later", queue: true });
    expect((await make(l, "new", { ...CHAT, evict_siblings: true })).evicted).toEqual([]);
    expect(await states(l)).toMatchObject({ busy: "active", "waited-for": "active" });
    await l.sessions.resume({ session: "waited-for" });
    await expect.poll(() => l.tmux.received("tmpm-waited-for")[0]).toEqual({ type: "paste", text: "later" });
  });

  test("keeps one with a dialog or a draft", async () => {
    const l = fixture({ programs: { "composer-agent": composerProgram({ dialog: true }) } });
    await make(l, "asks", CHAT);
    expect((await make(l, "new", { ...CHAT, evict_siblings: true })).evicted).toEqual([]);
    await l.sessions.keys({ session: "asks", keys: ["Enter"] });
    await l.sessions.keys({ session: "asks", keys: ["h"] });
    expect((await make(l, "newer", { ...CHAT, evict_siblings: true })).evicted).toEqual([]);
  });

  test("keeps one that is receiving a file", async () => {
    const root = await mkdtemp(join(tmpdir(), "tmpm-owners-"));
    try {
      const l = fixture({ ports: { uploads: uploadFolder() } });
      await l.sessions.create({ agent: "composer", cwd: root, name: "given", ...CHAT });
      let evicted: readonly string[] = ["not yet"];
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield Buffer.from("x");
        evicted = (await make(l, "new", { ...CHAT, evict_siblings: true })).evicted;
      }
      await l.sessions.upload({ session: "given", filename: "a", bytes: slow() });
      expect(evicted).toEqual([]);
      expect(await states(l)).toMatchObject({ given: "active" });
    } finally {
      await rm(root, { recursive: true });
    }
  });

  test("runs when a sibling cannot be stopped, and reports this", async () => {
    const l = fixture();
    await make(l, "old", CHAT);
    l.tmux.failNext("kill", new TmpmError("TMUX_UNRESPONSIVE", "no answer"));
    const created = await l.sessions.create({ agent: "composer", cwd: "/w", name: "new", ...CHAT, evict_siblings: true });
    expect([created.evicted, created.notes]).toEqual([[], ["session old was not stopped: no answer"]]);
    expect(await states(l)).toMatchObject({ new: "active" });
  });

  test("stops nothing when it fails to start", async () => {
    const l = fixture();
    await make(l, "old", CHAT);
    await expect(make(l, "old", { ...CHAT, evict_siblings: true })).rejects.toMatchObject({ code: "NAME_TAKEN" });
    expect(await states(l)).toMatchObject({ old: "active" });
  });

  test("loses no concurrent prompt: it is typed, or its sender is notified that the session was stopped", async () => {
    const l = fixture();
    for (let round = 0; round < 10; round++) {
      const old = `old-${round}`;
      await make(l, old, { ...CHAT, owner: `o${round}` });
      const sending = l.sessions.send({ session: old, text: "now" }).catch((error: unknown) => error);
      for (let turn = 0; turn < round; turn++) await new Promise(setImmediate);
      const { evicted } = await make(l, `new-${round}`, { ...CHAT, owner: `o${round}`, evict_siblings: true });
      const sent = await sending;
      const typed = l.tmux.received(`tmpm-${old}`).some(({ type }) => type === "paste");
      expect(typed && evicted.length === 1, `round ${round}`).toBe(false);
      if (!typed) expect(JSON.stringify(sent)).toMatch(/INVALID_STATE|session_ended/);
    }
  });
});

describe("session limit", () => {
  test("rejects one more with the number of running sessions, and changes nothing (zeroclaw 2)", async () => {
    const l = fixture({ settings: { maxSessions: 1 } });
    await make(l, "one");
    await expect(make(l, "two")).rejects.toMatchObject({ code: "SESSION_LIMIT", details: { live: 1, limit: 1 } });
    expect(await states(l)).toEqual({ one: "active" });
    expect(await l.store.find("two")).toEqual([]);
  });

  test("counts running sessions only, and never affects existing ones (zeroclaw 1, 3)", async () => {
    const l = fixture({ settings: { maxSessions: 2 } });
    await make(l, "one");
    await l.sessions.stop({ session: "one" });
    await make(l, "two");
    await make(l, "three");
    await l.sessions.restart({ session: "three" });
    await l.sessions.resume({ session: "one" });
    expect(await states(l)).toEqual({ one: "active", two: "active", three: "active" });
    await expect(make(l, "four")).rejects.toMatchObject({ code: "SESSION_LIMIT" });
  });

  test("allows one that replaces an idle sibling", async () => {
    const l = fixture({ settings: { maxSessions: 1 } });
    await make(l, "old", CHAT);
    await expect(make(l, "other", { owner: "tui2", mode: "chat", evict_siblings: true })).rejects.toMatchObject({ code: "SESSION_LIMIT" });
    await l.sessions.reconcile({});
    expect((await make(l, "new", { ...CHAT, evict_siblings: true })).evicted).toEqual(["old"]);
  });

  test("holds for simultaneous creates", async () => {
    const l = fixture({ settings: { maxSessions: 3 } });
    const made = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => make(l, `s${index}`)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await l.sessions.counts()).toMatchObject({ total: 3, live: 3, limit: 3 });
  });
});

test("sessions are counted by agent, project and owner (zeroclaw 25)", async () => {
  const l = fixture();
  await make(l, "a", CHAT);
  await make(l, "b", { owner: "tui2" });
  await l.sessions.create({ agent: "shell", cwd: "/w", name: "c", project_id: "web" });
  await l.sessions.stop({ session: "b" });
  await make(l, "gone");
  await l.sessions.remove({ session: "gone" });
  expect(await l.sessions.counts()).toEqual({
    total: 3,
    live: 2,
    limit: null,
    agents: [
      { agent: "composer", total: 2, live: 1 },
      { agent: "shell", total: 1, live: 1 },
    ],
    projects: [
      { project_id: "default", total: 2, live: 1 },
      { project_id: "web", total: 1, live: 1 },
    ],
    owners: [
      { owner: null, total: 1, live: 1 },
      { owner: "tui1", total: 1, live: 1 },
      { owner: "tui2", total: 1, live: 0 },
    ],
  });
});

test("distinguishes sessions of one client, unowned ones and missing ones (zeroclaw 28)", async () => {
  const l = fixture();
  await make(l, "owned", CHAT);
  await make(l, "no-ones");
  const ownerOf = async (session: string) => (await l.sessions.show({ session })).record.owner;
  expect(await ownerOf("owned")).toBe("tui1");
  expect(await ownerOf("no-ones")).toBeNull();
  await expect(ownerOf("ghost")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
});

test("another client cannot cancel, and its refusal changes nothing; the owner can (zeroclaw 40)", async () => {
  const l = fixture();
  await make(l, "owned", CHAT);
  await l.sessions.pause({ session: "owned" });
  const { turn } = await l.sessions.submit({ session: "owned", prompt: "work", queue: true });
  await expect(l.sessions.requireOwned({ session: "owned", client: "tui2" })).rejects.toMatchObject({ code: "SESSION_NOT_OWNED" });
  expect((await l.sessions.turn({ session: "owned", turn: turn.id })).turn.outcome).toBeNull();
  await l.sessions.requireOwned({ session: "owned", client: "tui1" });
  expect((await l.sessions.cancel({ session: "owned", turn: turn.id })).turn).toMatchObject({
    outcome: "cancelled",
    cause: "client_rpc",
  });
});

test.each([
  { owner: "tui1", caller: "tui2", refused: true },
  { owner: "tui1", caller: "tui1", refused: false },
  { owner: "tui1", caller: null, refused: false },
  { owner: "tui1", caller: undefined, refused: false },
  { owner: null, caller: "tui2", refused: false },
])("a request of $caller for a session of $owner is refused: $refused (zeroclaw 40)", ({ owner, caller, refused }) => {
  const ask = () => requireOwner({ id: "1", name: "one", owner }, caller);
  if (refused) expect(ask).toThrow(expect.objectContaining({ code: "SESSION_NOT_OWNED" }));
  else expect(ask).not.toThrow();
});

test("a client cannot undo another client's removal, even with a live session of that name", async () => {
  const l = fixture();
  await make(l, "same", CHAT);
  await l.sessions.remove({ session: "same" });
  await make(l, "same", { owner: "tui2" });
  await l.sessions.requireOwned({ session: "same", client: "tui2" });
  await expect(l.sessions.undo({ session: "same", client: "tui2" })).rejects.toMatchObject({ code: "SESSION_NOT_OWNED" });
  expect((await l.sessions.undo({ session: "same", client: "tui1" })).session.record.owner).toBe("tui1");
});
