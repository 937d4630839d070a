import { type SessionRecord, TmpmError } from "@tmpm/core";
import { memoryStore } from "@tmpm/store/memory";
import { describe, expect, test } from "vitest";
import { type DeferredPlace, type DeferredRecord, deferringStore } from "../../src/deferring-store.js";
import { rememberingStore } from "../../src/remembering-store.js";
import { fixture } from "../fixtures/fixture.js";

/** A store whose writes fail while the disk is full. */
function fullDisk(code: "STORAGE_FULL" | "STORE_READ_ONLY") {
  const memory = memoryStore();
  const disk = { full: false };
  const refuse = () => {
    if (disk.full) throw new TmpmError(code, "cannot write the record: at /home/me", { hint: "Make room.", effect: "none" });
  };
  const store: typeof memory = {
    ...memory,
    async create(record) {
      refuse();
      return memory.create(record);
    },
    async update(id, change) {
      refuse();
      return memory.update(id, change);
    },
  };
  return { store, memory, disk };
}

describe.each(["STORAGE_FULL", "STORE_READ_ONLY"] as const)("while the disk rejects writes (%s)", (code) => {
  test("a session is stopped, shown as stopped, and recorded once the disk accepts writes", async () => {
    const { store, memory, disk } = fullDisk(code);
    const l = fixture({ store });
    const { record } = (await l.sessions.create({ cwd: l.dir, agent: "shell", name: "b" })).session;
    disk.full = true;
    const stopped = await l.sessions.stop({ session: "b" });
    expect(stopped).toMatchObject({ survivors: [], session: { record: { state: "stopped", stop_cause: "deliberate" } } });
    if (record.pane === null) throw new Error("it has a terminal");
    expect(await l.tmux.driver.find(record.pane)).toMatchObject({ kind: "absent" });
    const listed = await l.sessions.list({});
    expect(listed.sessions.map((each) => each.record.state)).toEqual(["stopped"]);
    expect(listed.health).toMatchObject({ state: "degraded", error: { code, hint: "Make room." } });
    await expect(l.sessions.create({ cwd: l.dir, agent: "shell", name: "c" })).rejects.toMatchObject({ code });
    expect(await memory.get(record.id)).toMatchObject({ record: { state: "active" } });
    disk.full = false;
    await l.sessions.set({ session: "b", task: "later" });
    expect(await memory.get(record.id)).toMatchObject({
      record: { state: "stopped", stop_cause: "deliberate", intent: null, task: "later" },
    });
    expect((await l.sessions.list({})).health).toEqual({ state: "ok" });
  });

  test("a session that ended by itself is shown as ended", async () => {
    const { store, disk } = fullDisk(code);
    const l = fixture({ store });
    await l.sessions.create({ cwd: l.dir, agent: "shell", name: "b" });
    disk.full = true;
    l.tmux.killServer();
    await l.sessions.reconcile({});
    expect((await l.sessions.list({})).sessions.map((each) => each.record.state)).toEqual(["stopped"]);
  });
});

describe("an unwritten change", () => {
  const titled = (title: string) => (record: SessionRecord) => ({ ...record, task: `${record.task ?? ""}${title}` });

  async function kept() {
    const { store, memory, disk } = fullDisk("STORAGE_FULL");
    const l = fixture({ store });
    const { id } = (await l.sessions.create({ cwd: l.dir, agent: "shell", name: "b" })).session.record;
    const deferring = deferringStore(rememberingStore(store));
    disk.full = true;
    await deferring.updateAnyway(id, titled("one"));
    await deferring.updateAnyway(id, titled("two"));
    return { deferring, memory, disk, id };
  }

  test("is written once by two updates at the same time", async () => {
    const { deferring, memory, disk, id } = await kept();
    disk.full = false;
    await Promise.all(["three", "four"].map((title) => deferring.update(id, titled(title))));
    expect(await memory.get(id)).toMatchObject({ record: { task: "onetwothreefour" } });
  });

  test("is visible to every reader, and is written in order", async () => {
    const { deferring, memory, disk, id } = await kept();
    for (const entry of [await deferring.get(id), ...(await deferring.list()), ...(await deferring.find("b"))])
      expect(entry).toMatchObject({ record: { task: "onetwo" } });
    await deferring.flush();
    expect(await memory.get(id)).toMatchObject({ record: { task: "" } });
    disk.full = false;
    await deferring.flush();
    expect(await memory.get(id)).toMatchObject({ record: { task: "onetwo" } });
    expect(deferring.health()).toEqual({ state: "ok" });
  });

  test("that can never be written is dropped and reported", async () => {
    const { deferring, memory, disk, id } = await kept();
    await memory.delete(id);
    disk.full = false;
    await expect(deferring.flush()).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await deferring.flush();
  });

  test("survives the daemon if it is saved elsewhere, unless the record was changed meanwhile", async () => {
    const { store, memory, disk } = fullDisk("STORE_READ_ONLY");
    const { id } = (await fixture({ store }).sessions.create({ cwd: "/w", agent: "shell", name: "b" })).session.record;
    let elsewhere: readonly DeferredRecord[] = [];
    const place: DeferredPlace = {
      load: () => elsewhere,
      save: (records) => {
        elsewhere = records;
      },
    };
    const daemon = () => deferringStore(rememberingStore(store), place);
    disk.full = true;
    await daemon().updateAnyway(id, titled("one"));
    await daemon().updateAnyway(id, titled("two"));
    expect(await daemon().get(id)).toMatchObject({ record: { task: "onetwo" } });
    disk.full = false;
    await daemon().flush();
    expect(await memory.get(id)).toMatchObject({ record: { task: "onetwo" } });
    expect(elsewhere).toEqual([]);

    disk.full = true;
    await daemon().updateAnyway(id, titled("three"));
    disk.full = false;
    await memory.update(id, titled("another's"));
    expect(await daemon().get(id)).toMatchObject({ record: { task: "onetwoanother's" } });
    await daemon().flush();
    expect(await memory.get(id)).toMatchObject({ record: { task: "onetwoanother's" } });
    expect(elsewhere).toEqual([]);
  });
});
