import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../src/contract/assertions.js";
import { sampleRecord } from "../src/contract/sample-record.js";
import { directoryStore } from "../src/sessions/directory-store.js";
import type { SessionStore, StoreEvent } from "../src/store.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";

const { id } = sampleRecord(1);
const NEVER = 1_000_000;
let folder: ScratchFolder;
let path: string;
let stores: SessionStore[];

beforeEach(() => {
  folder = scratchFolder();
  path = join(folder.path, "default", `${id}.json`);
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  folder.remove();
});

function watched(sweepMs = NEVER) {
  const store = directoryStore({ base: folder.path, sweepMs });
  stores.push(store);
  const heard: StoreEvent[] = [];
  const subscription = store.watch((event) => heard.push(event));
  const hears = (event: object) => eventually(() => expect(heard).toContainEqual(expect.objectContaining(event)));
  return { store, heard, hears, subscription };
}

describe("directory watch", () => {
  test("reports records that other programs add, edit in place and remove, without sweeping", async () => {
    const { heard, hears } = watched();
    await hears({ type: "look" });
    mkdirSync(join(folder.path, "default"));
    writeFileSync(path, JSON.stringify(sampleRecord(1)));
    await hears({ type: "created", record: sampleRecord(1) });
    writeFileSync(path, JSON.stringify(sampleRecord(1, { task: "edited" })));
    await hears({ type: "updated", record: sampleRecord(1, { task: "edited" }) });
    rmSync(path);
    await hears({ type: "removed", id });
    expect(heard.map(({ type }) => type).filter((type) => type !== "look")).toEqual(["created", "updated", "removed"]);
  });

  test("begins with a single look, however many records there are", async () => {
    const writer = directoryStore({ base: folder.path });
    for (const number of [1, 2, 3]) await writer.create(sampleRecord(number));
    const { store, heard, hears } = watched();
    await store.list();
    await hears({ type: "look" });
    expect(heard).toEqual([{ type: "look" }]);
  });

  test("reports this store's own writes, and an archived session as removed", async () => {
    const { store, heard, hears } = watched();
    const record = await store.create(sampleRecord(1));
    await store.archive(id);
    await hears({ type: "removed", id });
    expect(heard.filter(({ type }) => type !== "look")).toEqual([
      { type: "created", record },
      { type: "removed", id },
    ]);
  });

  test("reports a damaged record as `look`, and again when it is repaired", async () => {
    mkdirSync(join(folder.path, "default"));
    writeFileSync(path, "{");
    const { heard, hears } = watched();
    await hears({ type: "look" });
    writeFileSync(path, "{}");
    await eventually(() => expect(heard).toHaveLength(2));
    expect(heard[1]).toEqual({ type: "look" });
    writeFileSync(path, JSON.stringify(sampleRecord(1)));
    await hears({ type: "created" });
    writeFileSync(path, "{");
    await hears({ type: "removed", id });
  });

  test("sweeps find a base that appears later, and unreported changes", async () => {
    const base = join(folder.path, "later");
    const store = directoryStore({ base, sweepMs: 20 });
    stores.push(store);
    const heard: StoreEvent[] = [];
    store.watch((event) => heard.push(event));
    mkdirSync(join(base, "default"), { recursive: true });
    writeFileSync(join(base, "default", `${id}.json`), JSON.stringify(sampleRecord(1)));
    await eventually(() => expect(heard.map(({ type }) => type)).toContain("created"));
  });

  test("survives a missing base that comes back", async () => {
    const { store, heard, hears } = watched(20);
    await store.create(sampleRecord(1));
    await hears({ type: "created" });
    const aside = `${folder.path}-aside`;
    renameSync(folder.path, aside);
    await eventually(() => expect(store.health().state).toBe("degraded"));
    renameSync(aside, folder.path);
    await eventually(() => expect(store.health().state).toBe("ok"));
    expect(heard.map(({ type }) => type)).not.toContain("removed");
    await directoryStore({ base: folder.path }).update(id, (current) => ({ ...current, task: "t" }));
    await hears({ type: "updated" });
  });

  test("continues in a base replaced by another folder, without sweeping", async () => {
    const { heard, hears } = watched();
    await hears({ type: "look" });
    const aside = `${folder.path}-aside`;
    renameSync(folder.path, aside);
    mkdirSync(join(folder.path, "default"), { recursive: true });
    rmSync(aside, { recursive: true });
    writeFileSync(path, JSON.stringify(sampleRecord(1)));
    await hears({ type: "created" });
    for (const name of ["a", "b", "c"]) {
      const before = heard.length;
      symlinkSync("nowhere", join(folder.path, name));
      await eventually(() => expect(heard.slice(before)).toEqual([{ type: "look" }]));
    }
  });

  test("a throwing listener affects neither the writer nor other listeners", async () => {
    const { store, hears } = watched();
    const errors: unknown[] = [];
    const previous = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.on("uncaughtException", (error) => errors.push(error));
    try {
      store.watch(() => {
        throw new Error("a fault of the listener");
      });
      expect((await store.create(sampleRecord(1))).rev).toBe(1);
      await hears({ type: "created" });
      await eventually(() => expect(errors.length).toBeGreaterThanOrEqual(2));
    } finally {
      process.removeAllListeners("uncaughtException");
      for (const listener of previous) process.on("uncaughtException", listener);
    }
  });
});
