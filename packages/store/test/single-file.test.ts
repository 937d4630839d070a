import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampleRecord } from "../src/contract/sample-record.js";
import { identityOf, statOf } from "../src/durable/file-identity.js";
import { nodeWriteCalls } from "../src/durable/write-durably.js";
import { singleFileStore } from "../src/single-file-store.js";
import type { SessionStore } from "../src/store.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const HOUR = 3_600_000;
const { id } = sampleRecord(1);
const other = sampleRecord(2).id;
const third = sampleRecord(3).id;
let folder: ScratchFolder;
let path: string;
let store: SessionStore;

beforeEach(() => {
  folder = scratchFolder();
  path = join(folder.path, "sessions.json");
  store = singleFileStore({ path });
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

function text(): string {
  return readFileSync(path, "utf8");
}

function identity() {
  const stat = statOf(path);
  return stat === null ? null : identityOf(stat);
}

function theirs(sessionId: string, changes: Readonly<Record<string, unknown>> = {}) {
  return {
    id: sessionId,
    tmux_name: "tmpm-x",
    cwd: "/w",
    task: "t",
    state: "active",
    created_at: "2026-01-01T00:00:00Z",
    ...changes,
  };
}

describe("written file", () => {
  test("is trusty-mpm's map indented by two, with our own fields under tmpm", async () => {
    await store.create(sampleRecord(1, { project_id: "web", conversation_id: "c" }));
    await store.create(sampleRecord(2));
    expect(text()).toBe(JSON.stringify(JSON.parse(text()), null, 2));
    expect(JSON.parse(text())).toMatchObject({
      sessions: {
        [id]: {
          id,
          state: "active",
          runtime: "claude-code",
          claude_session_id: "c",
          tmpm: { project_id: "web", rev: 1, schema_version: 1 },
        },
        [other]: { id: other },
      },
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}.tmpm`).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder.path).toSorted()).toEqual(["sessions.json", "sessions.json.tmpm"]);
  });

  test("rejects an agent or a state that trusty-mpm cannot read", async () => {
    await store.create(sampleRecord(1));
    const before = text();
    await expect(store.create(sampleRecord(2, { agent: "shell" }))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      effect: "none",
      message: expect.stringContaining("shell"),
      details: { field: "agent" },
    });
    for (const changes of [{ agent: "codex" }, { state: "deleted" } as const]) {
      await expect(store.update(id, (current) => ({ ...current, ...changes }))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    expect(text()).toBe(before);
    const later = singleFileStore({ path, release: "later" });
    expect((await later.update(id, (current) => ({ ...current, state: "deleted" }))).state).toBe("deleted");
    await expect(store.update(id, (current) => ({ ...current, task: "t" }))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect((await store.update(id, (current) => ({ ...current, state: "stopped" }))).state).toBe("stopped");
  });

  test("keeps other entries byte for byte, with unknown fields, large numbers, order and spacing (trusty case 7)", async () => {
    const unknown = `{ "id": "${other}",\n"state":"hibernating", "n": [12345678901234567890, 1.50, 1E400],   "é":"\\u00e9" }`;
    const head = `{"format":  3, "sessions" : {"${other}": ${unknown}, "no-uuid":null ,\n `;
    const tail = `, "${third}" : ${JSON.stringify(theirs(third))}} , "big": 123456789012345678901234567890 }\n`;
    writeFileSync(path, `${head}"${id}": ${JSON.stringify(theirs(id))}${tail}`);
    expect((await store.list()).map((entry) => entry.kind).toSorted()).toEqual(["damaged", "damaged", "session", "session"]);
    await store.update(id, (current) => ({ ...current, state: "stopped" }));
    expect(text().startsWith(head)).toBe(true);
    expect(text().endsWith(tail)).toBe(true);
    await store.delete(id);
    expect(text()).toBe(`${head.replace(/ ,\n $/, "")}${tail}`);
  });

  test("keeps exact numbers and unknown fields of the changed record", async () => {
    const record = theirs(id, { task: "#", extra: { deep: ["#"] }, tmpm: { rev: 4, newer: "#" } });
    writeFileSync(
      path,
      JSON.stringify({ sessions: { [id]: record } })
        .replaceAll('"#"', "12345678901234567890.10")
        .replace('"task":12345678901234567890.10', '"task":"t"'),
    );
    expect((await store.update(id, (current) => ({ ...current, task: "new" }))).rev).toBe(5);
    await store.update(id, () => sampleRecord(1));
    expect(text().match(/12345678901234567890\.10/g)).toHaveLength(2);
    expect(JSON.parse(text()).sessions[id]).toMatchObject({ extra: {}, tmpm: { rev: 6 } });
  });

  test("keeps the existing key, and assigns a duplicate id to no record", async () => {
    writeFileSync(
      path,
      JSON.stringify({ sessions: { [id.toUpperCase()]: theirs(id), [other]: theirs(other), [`{${other}}`]: theirs(other) } }),
    );
    await store.update(id, (current) => ({ ...current, task: "new" }));
    expect(Object.keys(JSON.parse(text()).sessions)).toEqual([id.toUpperCase(), other, `{${other}}`]);
    expect((await store.list()).filter((entry) => entry.kind === "damaged")).toHaveLength(2);
    await expect(store.update(other, (current) => ({ ...current, task: "new" }))).rejects.toMatchObject({ code: "RECORD_DAMAGED" });
  });

  test("is updated when empty in any spacing", async () => {
    for (const empty of ['{"sessions":{}}', '{\n  "sessions": {\n  }\n}\n']) {
      writeFileSync(path, empty);
      await store.create(sampleRecord(1));
      await store.create(sampleRecord(2));
      await store.delete(id);
      expect(Object.keys(JSON.parse(text()).sessions)).toEqual([other]);
      await store.delete(other);
      expect(JSON.parse(text())).toEqual({ sessions: {} });
    }
  });
});

describe("unreadable file", () => {
  const good = () => JSON.stringify({ sessions: { [id]: theirs(id) } });
  const bad: readonly (readonly [string, () => void])[] = [
    ["is not JSON", () => writeFileSync(path, "{ not json ]")],
    ["is empty", () => writeFileSync(path, "")],
    ["has stale bytes behind its end", () => writeFileSync(path, `${good()}"cwd": "/w" } } }`)],
    ["ends too early", () => writeFileSync(path, good().slice(0, -3))],
    ["has no sessions", () => writeFileSync(path, '{"session": {}}')],
    ["has sessions twice", () => writeFileSync(path, '{"sessions": {}, "sessions": {}}')],
    ["has a list of sessions", () => writeFileSync(path, '{"sessions": []}')],
    ["has one entry that is not JSON", () => writeFileSync(path, good().replace('"active"', "active"))],
    ["is not UTF-8", () => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]))],
    ["is a folder", () => mkdirSync(path)],
    ["is a symbolic link", () => symlinkSync("elsewhere", path)],
    ["is a FIFO", () => void spawnSync("mkfifo", [path])],
    [
      "is larger than 64 MiB",
      () => {
        writeFileSync(path, "");
        truncateSync(path, 64 * 1024 * 1024 + 1);
      },
    ],
    ["is gone", () => undefined],
  ];

  test.each(bad)(
    "because it %s is not an empty store: the last known records are served and nothing is written (trusty 11, 12)",
    async (_title, spoil) => {
      writeFileSync(path, good());
      const before = await store.list();
      renameSync(path, `${path}-good`);
      spoil();
      const seen = identity();
      expect(await store.list()).toEqual(before);
      expect(await store.get(id)).toEqual(before[0]);
      expect(store.health()).toMatchObject({ state: "degraded", error: { code: "STORE_DEGRADED" } });
      const change = (current: ReturnType<typeof sampleRecord>) => ({ ...current, task: "t" });
      for (const write of [store.update(id, change), store.create(sampleRecord(2)), store.archive(id), store.delete(id)]) {
        await expect(write).rejects.toMatchObject({ code: "STORE_DEGRADED", effect: "none" });
      }
      expect(identity()).toEqual(seen);
      if (seen !== null) {
        const blind = singleFileStore({ path });
        await expect(blind.list()).rejects.toMatchObject({ code: "STORE_DEGRADED" });
        await expect(blind.create(sampleRecord(2))).rejects.toMatchObject({ code: "STORE_DEGRADED" });
      }
      rmSync(path, { recursive: true, force: true });
      renameSync(`${path}-good`, path);
      expect((await store.update(id, change)).task).toBe("t");
      expect(store.health()).toEqual({ state: "ok" });
    },
  );

  test("entry hides no other: it is listed, kept and rejects writes", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const huge = JSON.stringify("x".repeat(2 ** 20));
    writeFileSync(
      path,
      `{"sessions": {"${id}": ${JSON.stringify(theirs(id))}, "${other}": {"id": ${deep}}, "${third}": {"id": ${huge}}, "__proto__": 1}}`,
    );
    expect((await store.list()).map((entry) => entry.kind)).toEqual(["session", "damaged", "damaged", "damaged"]);
    await store.update(id, (current) => ({ ...current, task: "t" }));
    for (const bad of [other, third, "__proto__"]) await expect(store.delete(bad)).rejects.toMatchObject({ code: "RECORD_DAMAGED" });
    expect(text()).toContain(deep);
    expect(text()).toContain(huge);
  });
});

test("the next read sees a change of equal size with the modification time restored (trusty 13)", {
  timeout: 20_000 * scale,
}, async () => {
  store = singleFileStore({ path, clock: () => Date.now() + HOUR });
  await store.create(sampleRecord(1, { state: "stopped" }));
  for (let round = 0; round < 200 * scale; round++) {
    const [from, to] = round % 2 === 0 ? ["stopped", "errored"] : ["errored", "stopped"];
    const { atime, mtime } = statSync(path);
    writeFileSync(path, text().replace(`"state": "${from}"`, `"state": "${to}"`));
    utimesSync(path, atime, mtime);
    expect(await store.get(id)).toMatchObject({ record: { state: to } });
  }
});

test("an unchanged file is not read again: the same objects are returned", async () => {
  store = singleFileStore({ path, clock: () => Date.now() + HOUR });
  await store.create(sampleRecord(1));
  await store.create(sampleRecord(2));
  const [second, first] = await store.list();
  await store.update(other, (current) => ({ ...current, task: "t" }));
  const after = await store.list();
  expect(after[1]).toBe(first);
  expect(after[0]).not.toBe(second);
  expect((await store.list())[0]).toBe(after[0]);
});

test("a failed write changes nothing, and has an unknown effect if the file was already replaced", async () => {
  await store.create(sampleRecord(1));
  let failing = 0;
  const failed = Object.assign(new Error("full"), { code: "ENOSPC", syscall: "fsync" });
  const writeCalls = {
    ...nodeWriteCalls,
    fsync: async (fd: number) => (--failing === 0 ? Promise.reject(failed) : nodeWriteCalls.fsync(fd)),
  };
  const faulty = singleFileStore({ path, writeCalls });
  await faulty.update(id, (current) => current);
  const before = text();
  const change = (current: ReturnType<typeof sampleRecord>) => ({ ...current, task: "t" });
  for (const nth of [1, 2]) {
    failing = nth;
    await expect(faulty.update(id, change)).rejects.toMatchObject({ code: "STORAGE_FULL", effect: "none" });
    expect(text()).toBe(before);
  }
  for (const nth of [3, 4]) {
    failing = nth;
    await expect(faulty.update(id, change)).rejects.toMatchObject({ code: "STORAGE_FULL", effect: "unknown" });
  }
  expect(await faulty.get(id)).toMatchObject({ record: { task: "t" } });
  expect((await faulty.update(id, (current) => ({ ...current, task: "u" }))).rev).toBeGreaterThan(2);
  expect(faulty.health()).toEqual({ state: "ok" });
});

describe("a program that rewrites the file during an update without our lock", () => {
  /** A store whose file another program rewrites before each of its first `times` writes; `then` follows each rewrite. */
  function disturbed(times: number, then: (store: SessionStore) => void = () => undefined): SessionStore {
    let count = 0;
    const create = (temporary: string) => {
      if (temporary.startsWith(join(folder.path, ".sessions")) && count++ < times) {
        writeFileSync(path, text().replaceAll(/"task": "\d*"/g, `"task": "${count}"`));
        then(disturbedStore);
      }
      return nodeWriteCalls.create(temporary);
    };
    const disturbedStore = singleFileStore({ path, writeCalls: { ...nodeWriteCalls, create } });
    return disturbedStore;
  }

  test("makes the change run again on the new content", async () => {
    await store.create(sampleRecord(1));
    const faulty = disturbed(3);
    const seen: string[] = [];
    const stored = await faulty.update(id, (current) => {
      seen.push(current.task);
      return { ...current, pid: 7 };
    });
    expect(seen).toEqual(["", "1", "2", "3"]);
    expect(stored).toMatchObject({ pid: 7, task: "3" });
    expect(await store.get(id)).toMatchObject({ record: stored });
  });

  test("is noticed also when a read during the write loads the new content", async () => {
    await store.create(sampleRecord(1));
    await store.create(sampleRecord(2));
    await store.create(sampleRecord(3));
    const faulty = () => disturbed(1, (reading) => void reading.list());
    expect(await faulty().update(id, (current) => ({ ...current, pid: 7 }))).toMatchObject({ pid: 7, task: "1" });
    expect(await store.get(other)).toMatchObject({ record: { task: "1" } });
    await store.update(other, (current) => ({ ...current, task: "2" }));
    await faulty().delete(third);
    expect(await store.get(third)).toBeNull();
    expect(await store.get(other)).toMatchObject({ record: { task: "1" } });
  });

  test("every time causes REV_CONFLICT, with nothing written", async () => {
    await store.create(sampleRecord(1));
    const faulty = disturbed(Number.POSITIVE_INFINITY);
    await expect(faulty.update(id, (current) => ({ ...current, pid: 7 }))).rejects.toMatchObject({ code: "REV_CONFLICT", effect: "none" });
    expect(await store.get(id)).toMatchObject({ record: { pid: null } });
  });
});

test("a read-only store writes nothing, not even clean-up", async () => {
  await store.create(sampleRecord(1));
  rmSync(`${path}.tmpm`, { recursive: true });
  const reading = singleFileStore({ path, readOnly: true });
  expect(await reading.list()).toHaveLength(1);
  await expect(reading.delete(id)).rejects.toMatchObject({ code: "STORE_READ_ONLY" });
  expect(readdirSync(folder.path)).toEqual(["sessions.json"]);
});
