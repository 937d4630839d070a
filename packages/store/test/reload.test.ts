import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionRecord } from "@tmpm/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampleRecord } from "../src/contract/sample-record.js";
import { identityOf, isRacy, statOf } from "../src/durable/file-identity.js";
import { directoryStore } from "../src/sessions/directory-store.js";
import { lookAt, type RecordFile } from "../src/sessions/record-file.js";
import type { SessionStore } from "../src/store.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const HOUR = 3_600_000;
const REWRITES = scale < 10 ? 100 * scale : 10_000;
const { id } = sampleRecord(1);
let folder: ScratchFolder;
let base: string;
let path: string;
let store: SessionStore;
let clock: number;

/** The clock is an hour ahead of the file system, so that no file is young enough to be read twice unless a test sets it. */
beforeEach(async () => {
  folder = scratchFolder();
  base = join(folder.path, "sessions");
  path = join(base, "default", `${id}.json`);
  clock = Date.now() + HOUR;
  store = directoryStore({ base, clock: () => clock });
  await store.create(sampleRecord(1, { state: "stopped" }));
  await store.list();
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

async function known(): Promise<SessionRecord> {
  const [entry] = await store.list();
  if (entry?.kind !== "session") throw new Error(`not a session: ${JSON.stringify(entry)}`);
  return entry.record;
}

/** The same text with another state of equal length. */
function flipped(): string {
  const text = readFileSync(path, "utf8");
  return text.includes('"stopped"') ? text.replace('"stopped"', '"errored"') : text.replace('"errored"', '"stopped"');
}

describe("the next read sees a change by another program", () => {
  test("in place, of equal size, with the modification time restored", { timeout: 60_000 * scale }, async () => {
    for (let round = 0; round < REWRITES; round++) {
      const { atime, mtime, size } = statSync(path);
      const text = flipped();
      writeFileSync(path, text);
      utimesSync(path, atime, mtime);
      expect(statSync(path).size).toBe(size);
      expect((await known()).state).toBe(JSON.parse(text).state);
    }
  });

  test("as an editor saves: a new file in its place, with a backup beside it", async () => {
    const text = flipped();
    renameSync(path, `${path}~`);
    writeFileSync(path, text);
    expect((await known()).state).toBe("errored");
    rmSync(`${path}~`);
    expect(await store.get(id)).toMatchObject({ record: { state: "errored" } });
  });

  test("to files added, removed and moved, and to whole projects", async () => {
    const other = sampleRecord(2, { project_id: "other" });
    mkdirSync(join(base, "other"));
    expect(await store.list()).toHaveLength(1);
    writeFileSync(join(base, "other", `${other.id}.json`), JSON.stringify(other));
    expect(await store.get(other.id)).toMatchObject({ kind: "session" });
    mkdirSync(join(base, "default", ".archive"));
    renameSync(path, join(base, "default", ".archive", `${id}.json`));
    expect(await store.get(id)).toMatchObject({ archived: true });
    copyFileSync(join(base, "default", ".archive", `${id}.json`), path);
    rmSync(join(base, "default", ".archive"), { recursive: true });
    expect(await store.get(id)).toMatchObject({ archived: false });
    renameSync(join(base, "default"), join(base, "moved"));
    expect(await store.get(id)).toMatchObject({ kind: "damaged", project_id: "moved" });
    rmSync(join(base, "moved"), { recursive: true });
    expect(await store.get(id)).toBeNull();
    expect(await store.list()).toHaveLength(1);
  });

  test("that removes a file right after this store wrote it", async () => {
    await store.create(sampleRecord(2));
    rmSync(join(base, "default", `${sampleRecord(2).id}.json`));
    expect(await store.list()).toHaveLength(1);
    await store.archive(id);
    rmSync(join(base, "default", ".archive", `${id}.json`));
    expect(await store.list({ archived: true })).toEqual([]);
    await store.delete(id);
  });
});

describe("unchanged file", () => {
  test("is not parsed again: the same object is returned", async () => {
    const first = await known();
    expect(await known()).toBe(first);
    expect((await store.get(id)) as unknown).toMatchObject({ record: first });
    const later = directoryStore({ base, clock: () => clock });
    const other = await later.list();
    expect(await later.list()).toEqual(other);
  });

  test("is read again while recent, but parsed only when its text changed", async () => {
    clock = Date.now();
    const young = directoryStore({ base, clock: () => clock });
    const [first] = await young.list();
    expect((await young.list())[0]).toBe(first);
    writeFileSync(path, flipped());
    expect((await young.list())[0]).toMatchObject({ record: { state: "errored" } });
  });
});

test("an identity is trusted once it is two seconds old", () => {
  const at = (ms: number) => ({ ino: 1n, nlink: 1n, size: 1n, mtimeNs: 0n, ctimeNs: BigInt(ms) * 1_000_000n });
  expect(isRacy(at(10_000), 11_999)).toBe(true);
  expect(isRacy(at(10_000), 12_000)).toBe(false);
  expect(isRacy(at(10_000), 1_000)).toBe(true);
  expect(isRacy({ ...at(0), mtimeNs: 10_000_000_000n }, 11_999)).toBe(true);
});

test("a recent file is read again although its identity is equal, as with a coarse clock", () => {
  const place = { path, id, project_id: "default", archived: false };
  const look = (known: RecordFile | undefined, nowMs: number) => lookAt(place, { known, nowMs });
  const young = look(undefined, Date.now());
  const old = look(undefined, Date.now() + HOUR);
  expect([young?.racyText, old?.racyText]).toEqual([readFileSync(path, "utf8"), null]);
  writeFileSync(path, flipped());
  const stat = statOf(path);
  if (young === null || old === null || stat === null) throw new Error("the record is gone");
  const identity = identityOf(stat);
  expect(look({ ...young, identity }, Date.now())?.entry).toMatchObject({ record: { state: "errored" } });
  const trusted = { ...old, identity };
  expect(look(trusted, Date.now())).toBe(trusted);
});

describe("inaccessible base", () => {
  async function expectDegraded(errno: string): Promise<void> {
    expect(await store.list()).toHaveLength(1);
    expect(await store.get(id)).toMatchObject({ kind: "session" });
    expect(await store.find("session-01")).toHaveLength(1);
    expect(store.health()).toMatchObject({ state: "degraded", error: { code: "STORE_DEGRADED", details: { errno } } });
    const writes = [
      store.update(id, (current) => ({ ...current, task: "t" })),
      store.create(sampleRecord(2)),
      store.archive(id),
      store.delete(id),
    ];
    for (const write of writes) await expect(write).rejects.toMatchObject({ code: "STORE_DEGRADED", effect: "none" });
  }

  async function expectRecovered(): Promise<void> {
    expect(await store.list()).toHaveLength(1);
    expect(store.health()).toEqual({ state: "ok" });
    await store.update(id, (current) => ({ ...current, task: String(current.rev) }));
  }

  test("that is missing is not an empty store, and is not created again", async () => {
    renameSync(base, `${base}-aside`);
    await expectDegraded("ENOENT");
    expect(statSync(base, { throwIfNoEntry: false })).toBeUndefined();
    renameSync(`${base}-aside`, base);
    await expectRecovered();
  });

  test("that is missing is not created again by a first write", async () => {
    renameSync(base, `${base}-aside`);
    await expect(store.update(id, (current) => ({ ...current, task: "t" }))).rejects.toMatchObject({ code: "STORE_DEGRADED" });
    expect(statSync(base, { throwIfNoEntry: false })).toBeUndefined();
    renameSync(`${base}-aside`, base);
    await store.update(id, (current) => ({ ...current, task: "t" }));
    await expectRecovered();
  });

  test("replaced by a file or a loop of links is degraded", async () => {
    renameSync(base, `${base}-aside`);
    writeFileSync(base, "");
    await expectDegraded("ENOTDIR");
    rmSync(base);

    symlinkSync(base, base);
    await expectDegraded("ELOOP");
    rmSync(base);
    renameSync(`${base}-aside`, base);
    await expectRecovered();
  });

  test("from the start is an error, not an empty list", async () => {
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    const blind = directoryStore({ base: file });
    for (const read of [blind.list(), blind.get(id), blind.find("s"), blind.findByIssue("default", "1"), blind.create(sampleRecord(2))]) {
      await expect(read).rejects.toMatchObject({ code: "STORE_DEGRADED", effect: "none" });
    }
    expect(blind.health().state).toBe("degraded");
    rmSync(file);
    expect(await blind.list()).toEqual([]);
    expect(blind.health()).toEqual({ state: "ok" });
    expect((await blind.create(sampleRecord(2))).rev).toBe(1);
  });

  test("that is a symbolic link works like the folder itself", async () => {
    symlinkSync(base, `${base}-link`);
    const linked = directoryStore({ base: `${base}-link` });
    expect(await linked.list()).toHaveLength(1);
    expect((await linked.update(id, (current) => ({ ...current, task: "t" }))).rev).toBe(2);
  });
});
