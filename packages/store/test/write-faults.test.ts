import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "@tmpm/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampleRecord } from "../src/contract/sample-record.js";
import { nodeWriteCalls, type WriteCalls } from "../src/durable/write-durably.js";
import { directoryStore } from "../src/sessions/directory-store.js";
import type { SessionStore } from "../src/store.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const seed = Number(process.env.TMPM_TEST_SEED ?? "1");
const { id } = sampleRecord(1);
let folder: ScratchFolder;
let base: string;

beforeEach(() => {
  folder = scratchFolder();
  base = join(folder.path, "sessions");
});
afterEach(() => folder.remove());

interface Fault {
  readonly errno: string;
  /** The number of the failing call, from 1. */
  readonly at: number;
}

interface FaultyCalls extends WriteCalls {
  /** The calls, in order. */
  readonly log: string[];
  fail(fault: Fault | null): void;
}

function faultyCalls(): FaultyCalls {
  let left = 0;
  let errno = "";
  const log: string[] = [];

  function step(name: string): void {
    log.push(name);
    if (left > 0 && --left === 0) throw Object.assign(new Error(`${errno}, ${name}`), { code: errno, syscall: name });
  }

  return {
    log,
    fail(fault) {
      left = fault?.at ?? 0;
      errno = fault?.errno ?? "";
    },
    create(path) {
      step("create");
      return nodeWriteCalls.create(path);
    },
    write(fd, bytes) {
      step("write");
      return nodeWriteCalls.write(fd, bytes.subarray(0, 1000));
    },
    mkdir(path) {
      step("mkdir");
      nodeWriteCalls.mkdir(path);
    },
    openFolder(path) {
      step("openFolder");
      return nodeWriteCalls.openFolder(path);
    },
    async fsync(fd) {
      step("fsync");
      return nodeWriteCalls.fsync(fd);
    },
    close(fd) {
      nodeWriteCalls.close(fd);
      step("close");
    },
    rename(from, to) {
      step("rename");
      nodeWriteCalls.rename(from, to);
    },
    unlink(path) {
      step("unlink");
      nodeWriteCalls.unlink(path);
    },
  };
}

/** The real calls, except that the fsync of one folder waits until it is released. */
function slowFolder(folder: string) {
  let open = () => {};
  let arrive = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let slow = -1;
  const calls: WriteCalls = {
    ...nodeWriteCalls,
    openFolder(path) {
      const fd = nodeWriteCalls.openFolder(path);
      if (path === folder) slow = fd;
      return fd;
    },
    async fsync(fd) {
      if (fd === slow) arrive();
      if (fd === slow) await opened;
      await nodeWriteCalls.fsync(fd);
    },
  };
  return { calls, open: () => open(), reached };
}

function document(): { readonly rev: number } {
  return JSON.parse(readFileSync(join(base, "default", `${id}.json`), "utf8"));
}

function fileNames(): readonly string[] {
  if (!existsSync(base)) return [];
  return readdirSync(base, { recursive: true, encoding: "utf8" }).filter((name) => /json|tmp/.test(name));
}

/** Makes each call of an operation fail in turn, until one run needs fewer calls. */
async function eachFault(
  errno: string,
  run: (store: SessionStore, calls: FaultyCalls, fault: Fault) => Promise<"failed" | "done">,
): Promise<number> {
  for (let at = 1; ; at++) {
    const calls = faultyCalls();
    const store = directoryStore({ base, writeCalls: calls });
    const result = await run(store, calls, { errno, at });
    await store.close();
    if (result === "done") return at - 1;
  }
}

const ERRORS = [
  ["ENOSPC", "STORAGE_FULL"],
  ["EROFS", "STORE_READ_ONLY"],
  ["EMFILE", "RESOURCE_EXHAUSTED"],
  ["EIO", "STORE_DEGRADED"],
  ["EDQUOT", "STORAGE_FULL"],
  ["EACCES", "STORE_READ_ONLY"],
  ["ENFILE", "RESOURCE_EXHAUSTED"],
  ["EPERM", "STORE_READ_ONLY"],
] as const;
/** One half in each run, selected by the seed; all of them at full scale. */
const SOME = ERRORS.filter((_, index) => scale >= 10 || Math.floor(index / 4) === seed % 2);

describe("failed write", () => {
  test.each(SOME)("with %s at any call is %s, leaves no temporary file, and keeps memory and disk equal", async (errno, code) => {
    const first = directoryStore({ base });
    await first.create(sampleRecord(1));
    const faults = await eachFault(errno, async (store, calls, fault) => {
      await store.update(id, (current) => current);
      const { rev } = document();
      calls.fail(fault);
      try {
        await store.update(id, (current) => ({ ...current, task: "x".repeat(1_500) }));
        return "done";
      } catch (error) {
        const replaced = calls.log.includes("rename") && document().rev === rev + 1;
        expect(error).toMatchObject({ code, effect: replaced ? "unknown" : "none", details: { errno } });
        expect(document().rev).toBe(replaced ? rev + 1 : rev);
        expect(await store.get(id)).toMatchObject({ record: document() });
        expect(fileNames()).toEqual(["default/01010101-0000-4000-8000-000000000001.json"]);
        calls.fail(null);
        const next = await store.update(id, (current) => ({ ...current, task: `after ${fault.at}` }));
        expect(next.rev).toBe(document().rev);
        return "failed";
      }
    });
    expect(faults).toBeGreaterThanOrEqual(8);
    await first.close();
  });

  test("of a create leaves no record, or has an unknown effect", async () => {
    const faults = await eachFault("EIO", async (store, calls, fault) => {
      calls.fail(fault);
      try {
        await store.create(sampleRecord(1));
        return "done";
      } catch (error) {
        if (!hasCode(error, "STORE_DEGRADED")) throw error;
        const found = (await store.list()).length;
        expect(found).toBe(error.effect === "unknown" ? 1 : 0);
        expect(fileNames().filter((name) => name.endsWith(".tmp"))).toEqual([]);
        calls.fail(null);
        await store.delete(id);
        return "failed";
      }
    });
    expect(faults).toBeGreaterThanOrEqual(8);
  });

  test("of archive or delete moves the record completely or not at all", async () => {
    for (const operation of ["archive", "delete"] as const) {
      await eachFault("EIO", async (store, calls, fault) => {
        if ((await store.get(id)) === null) await store.create(sampleRecord(1));
        calls.fail(fault);
        try {
          await store[operation](id);
          return "done";
        } catch (error) {
          expect(error).toMatchObject({ code: "STORE_DEGRADED" });
          calls.fail(null);
          expect(fileNames().length).toBeLessThanOrEqual(1);
          await store.delete(id);
          return "failed";
        }
      });
      const store = directoryStore({ base });
      await store.delete(id);
    }
  });
});

describe("write", () => {
  test("is on disk before it replaces a file, and its folder before it is acknowledged", async () => {
    const calls = faultyCalls();
    const store = directoryStore({ base, writeCalls: calls });
    await store.create(sampleRecord(1));
    calls.log.length = 0;
    await store.update(id, (current) => ({ ...current, task: "x".repeat(1_500) }));
    expect(calls.log.filter((name, index) => name !== calls.log[index - 1])).toEqual([
      "create",
      "write",
      "fsync",
      "close",
      "rename",
      "openFolder",
      "fsync",
      "close",
    ]);
    expect(calls.log.filter((name) => name === "write").length).toBeGreaterThan(2);
    expect(document()).toMatchObject({ rev: 2, task: "x".repeat(1_500) });
  });

  test("fails with STORAGE_FULL when a full disk writes no bytes", async () => {
    const store = directoryStore({ base, writeCalls: { ...nodeWriteCalls, write: () => 0 } });
    await expect(store.create(sampleRecord(1))).rejects.toMatchObject({ code: "STORAGE_FULL", effect: "none" });
    expect(fileNames()).toEqual([]);
  });

  test("into a folder just made by another process also waits until the folder is durable", async () => {
    const store = directoryStore({ base });
    await store.create(sampleRecord(1));
    const gate = slowFolder(base);
    const other = directoryStore({ base, writeCalls: gate.calls });
    let acknowledged = 0;
    const writes = [2, 3].map(async (number) => {
      await other.create(sampleRecord(number));
      acknowledged++;
    });
    await gate.reached;
    for (const task of ["a", "b", "c"]) await store.update(id, (current) => ({ ...current, task }));
    expect(acknowledged).toBe(0);
    gate.open();
    await Promise.all(writes);
    expect(await store.list()).toHaveLength(3);
  });

  test("makes folders and files private to their owner", async () => {
    const store = directoryStore({ base });
    await store.create(sampleRecord(1));
    await store.archive(id);
    const mode = (path: string) => (statSync(join(base, path)).mode & 0o777).toString(8);
    expect(["", ".locks", "default", "default/.archive"].map(mode)).toEqual(["700", "700", "700", "700"]);
    expect(mode(`default/.archive/${id}.json`)).toBe("600");
  });

  test("to a read-only store is rejected, and reading changes nothing", async () => {
    await directoryStore({ base }).create(sampleRecord(1));
    const before = fileNames();
    const store = directoryStore({ base, readOnly: true });
    expect(await store.list()).toHaveLength(1);
    const writes = [store.update(id, (current) => current), store.create(sampleRecord(2)), store.archive(id), store.delete(id)];
    for (const write of writes) await expect(write).rejects.toMatchObject({ code: "STORE_READ_ONLY", effect: "none" });
    expect(fileNames()).toEqual(before);
  });

  test("applies the change again to what a program without our lock wrote meanwhile", async () => {
    const store = directoryStore({ base });
    await store.create(sampleRecord(1));
    const path = join(base, "default", `${id}.json`);
    let calls = 0;
    const stored = await store.update(id, (current) => {
      if (calls++ === 0) writeFileSync(path, JSON.stringify({ ...current, branch: "theirs" }));
      return { ...current, task: "ours" };
    });
    expect(calls).toBe(2);
    expect(stored).toMatchObject({ branch: "theirs", task: "ours" });
    const rewriting = store.update(id, (current) => {
      writeFileSync(path, JSON.stringify({ ...current, branch: String(calls++) }));
      return { ...current, task: "never" };
    });
    await expect(rewriting).rejects.toMatchObject({ code: "REV_CONFLICT", effect: "none" });
    expect(document()).toMatchObject({ task: "ours" });
  });

  test("does not replace an archived record", async () => {
    const store = directoryStore({ base });
    await store.create(sampleRecord(1));
    await store.archive(id);
    copyFileSync(join(base, "default", ".archive", `${id}.json`), join(base, "default", `${id}.json`));
    expect(await store.list({ archived: true })).toHaveLength(2);
    expect(await store.get(id)).toMatchObject({ archived: false });
    await expect(store.archive(id)).rejects.toMatchObject({ code: "RECORD_DAMAGED", effect: "none" });
    await store.delete(id);
    expect(await store.list({ archived: true })).toEqual([]);
  });
});
