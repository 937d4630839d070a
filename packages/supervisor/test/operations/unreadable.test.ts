import { type SessionRecord, TmpmError } from "@tmpm/core";
import type { Entry } from "@tmpm/store";
import { memoryStore } from "@tmpm/store/memory";
import { describe, expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";
import { turnFixture } from "../fixtures/turn-agent.js";

/** A store in which one record can be damaged, as by another program, and repaired. */
function damageable() {
  const memory = memoryStore();
  const lost = new Set<string>();
  const entry = <E extends Entry | null>(kept: E): E | Entry =>
    kept?.kind === "session" && lost.has(kept.record.id)
      ? { kind: "damaged", id: kept.record.id, project_id: "default", reason: "it is not JSON", path: "/s/x.json" }
      : kept;
  const store = {
    ...memory,
    list: async (filter?: Parameters<typeof memory.list>[0]) => (await memory.list(filter)).map(entry),
    get: async (id: string) => entry(await memory.get(id)),
    // The name is in the unreadable file.
    find: async (text: string, filter?: Parameters<typeof memory.list>[0]) =>
      (await memory.find(text, filter)).map(entry).filter((found) => found.kind === "session" || found.id.startsWith(text)),
    async update(id: string, change: (current: SessionRecord) => SessionRecord) {
      if (lost.has(id)) throw new TmpmError("RECORD_DAMAGED", "it is not JSON");
      return memory.update(id, change);
    },
  };
  return { store, damage: (id: string) => lost.add(id), repair: (id: string) => lost.delete(id) };
}

async function hostFixture() {
  const { store, damage, repair } = damageable();
  const l = fixture({ store });
  const { id } = (await l.sessions.create({ agent: "shell", cwd: "/w", name: "a1", owner: "tui1" })).session.record;
  return { store, damage, repair, l, id };
}

describe("running session with a damaged record", () => {
  test("is found by its name and shown in its last state, with a note; nothing of it is written", async () => {
    const { l, id, damage, repair } = await hostFixture();
    damage(id);
    for (const session of ["a1", "tmpm-a1", id, "a"])
      expect(await l.sessions.show({ session })).toMatchObject({ record: { id, name: "a1" }, unreadable: "it is not JSON" });
    const { sessions, problems } = await l.sessions.list({});
    expect(sessions).toMatchObject([{ record: { name: "a1" }, unreadable: "it is not JSON" }]);
    expect(problems).toMatchObject([{ kind: "damaged", id }]);
    await expect(l.sessions.set({ session: "a1", task: "x" })).rejects.toMatchObject({ code: "RECORD_DAMAGED" });
    repair(id);
    expect((await l.sessions.show({ session: "a1" })).unreadable).toBeNull();
  });

  test("keeps its name and its owner", async () => {
    const { l, id, damage } = await hostFixture();
    damage(id);
    await expect(l.sessions.create({ agent: "shell", cwd: "/w", name: "a1" })).rejects.toMatchObject({ code: "NAME_TAKEN" });
    await expect(l.sessions.requireOwned({ session: "a1", client: "tui2" })).rejects.toMatchObject({ code: "SESSION_NOT_OWNED" });
  });

  test("is captured, attached to and stopped", async () => {
    const { l, id, damage, repair } = await hostFixture();
    damage(id);
    expect((await l.sessions.capture({ session: "a1" })).live).toBe(true);
    expect((await l.sessions.attach({ session: "a1" })).argv.length).toBeGreaterThan(0);
    const { session, survivors } = await l.sessions.stop({ session: "a1" });
    expect([session.record.state, survivors]).toEqual(["stopped", []]);
    expect(await l.tmux.driver.list()).toMatchObject({ value: [] });
    repair(id);
    await l.sessions.reconcile();
    expect((await l.sessions.show({ session: "a1" })).record.state).toBe("stopped");
  });

  test("is recognised by its terminal after a daemon restart; its owner is unknown, so no client may change it", async () => {
    const { l, id, damage } = await hostFixture();
    damage(id);
    const again = l.restarted();
    expect(await again.show({ session: "a1" })).toMatchObject({
      record: { id, name: "a1", state: "active" },
      unreadable: "it is not JSON",
    });
    await expect(again.requireOwned({ session: "a1", client: "tui1" })).rejects.toMatchObject({ code: "SESSION_NOT_OWNED" });
    await again.requireOwned({ session: "a1", client: null });
    await again.stop({ session: "a1" });
    expect(await l.tmux.driver.list()).toMatchObject({ value: [] });
  });

  test("is never reported as missing", async () => {
    const { l, id, damage } = await hostFixture();
    await l.sessions.stop({ session: "a1" });
    damage(id);
    await expect(l.restarted().show({ session: "a1" })).rejects.toMatchObject({ code: "RECORD_DAMAGED" });
    await expect(l.restarted().show({ session: id })).rejects.toMatchObject({ code: "RECORD_DAMAGED" });
  });
});

describe("turn that a daemon left in a session whose record cannot be read", () => {
  async function left({ queued }: { readonly queued?: string } = {}) {
    const { store, damage, repair } = damageable();
    const each = turnFixture({ store });
    for (const name of ["a1", "a2"]) await each.open(name);
    const { session_id, id } = (await each.sessions.submit({ session: "a1", prompt: "for ever", queue: true })).turn;
    await expect.poll(() => each.events.some(({ type }) => type === "turn_started")).toBe(true);
    if (queued !== undefined) {
      each.crashAt("send.accepted");
      await each.sessions.send({ session: "a1", text: queued, queue: true }).catch(() => undefined);
      each.crashAt(null);
    }
    await each.sessions.turns({ session: "a1" });
    each.tmux.exit("tmpm-a1", 1);
    each.tmux.close("tmpm-a1");
    return { ...each, store, damage, repair, session_id, id };
  }

  test("stays open and is reported, and the daemon works for the other sessions", async () => {
    const each = await left();
    each.damage(each.session_id);
    const next = each.restarted();
    next.start();
    const { receipt } = await next.send({ session: "a2", text: "work 100" });
    expect(receipt.outcome).toBe("submitted");
    expect(next.isRecovered()).toBe(true);
    expect((await each.turnJournal.get(each.session_id, each.id))?.state).toBe("running");
    expect(each.faults).toContainEqual({
      doing: `resuming turn ${each.id}`,
      error: expect.objectContaining({ code: "RECORD_DAMAGED", details: { id: each.session_id } }),
    });
    await next.close();
  });

  test("is kept, with the queued prompts, until the record of its session is there, which may be in another layout of the store", async () => {
    const each = await left({ queued: "later" });
    const entry = await each.store.get(each.session_id);
    await each.store.delete(each.session_id);
    const away = each.restarted();
    away.start();
    await expect.poll(() => away.isRecovered()).toBe(true);
    await away.close();
    const turns = () => each.turnJournal.list(each.session_id);
    expect((await turns()).map(({ state }) => state)).toEqual(["running", "queued"]);
    const [send] = await each.sends.pending();
    expect(send && (await each.sends.text(send))).toBe("later");
    if (entry?.kind === "session") await each.store.create(entry.record);
    const back = each.restarted();
    back.start();
    await expect.poll(async () => (await turns()).map(({ state }) => state)).toEqual(["ended", "ended"]);
    await back.close();
  });

  test("waits with its prompt until the record can be read", async () => {
    const each = await left();
    const record = (await each.sessions.show({ session: "a2" })).record;
    each.crashAt("send.accepted");
    await each.sessions.send({ session: "a2", text: "work 100", queue: true }).catch(() => undefined);
    each.crashAt(null);
    each.damage(record.id);
    each.tmux.stopServer();
    const next = each.restarted();
    next.start();
    await expect.poll(() => next.isRecovered()).toBe(true);
    each.tmux.continueServer();
    each.repair(record.id);
    await expect.poll(() => each.taken).toContain("work 100");
    await next.close();
  });
});

test("a missing id is not found, even if another record is damaged; a missing name may be that of the damaged record", async () => {
  const memory = memoryStore();
  const damaged: Entry = {
    kind: "damaged",
    id: "11111111-0000-4000-8000-000000000000",
    project_id: "default",
    reason: "not JSON",
    path: "/s/x",
  };
  const { sessions } = fixture({ store: { ...memory, list: async (filter) => [...(await memory.list(filter)), damaged] } });
  const missing = sessions.show({ session: "22222222-0000-4000-8000-000000000000" });
  await expect(missing).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(sessions.show({ session: "demo" })).rejects.toMatchObject({ code: "RECORD_DAMAGED" });
});
