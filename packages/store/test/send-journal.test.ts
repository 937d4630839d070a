import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SendEntry, TmpmError, timestampFromMs } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { sendJournalContract } from "../src/contract/index.js";
import { nodeWriteCalls } from "../src/durable/write-durably.js";
import { memorySends } from "../src/memory.js";
import { sendFolder } from "../src/sends/send-folder.js";
import { scratchFolder } from "./scratch-folder.js";

const START_MS = 1_000_000;
const SESSION = "00000000-0000-4000-8000-00000000000a";

function entry(id = "00000000-0000-4000-9000-000000000001"): SendEntry {
  const at = timestampFromMs(START_MS);
  const flags = { background: false, now: false, interrupt: false, as_command: false };
  return SendEntry.parse({
    id,
    session_id: SESSION,
    key: null,
    digest: "d",
    bytes: 1,
    accepted_at: at,
    updated_at: at,
    ...flags,
    step: "accepted",
  });
}

describe("memory send journal", () => {
  sendJournalContract({
    test,
    async open() {
      let now = START_MS;
      const journal = memorySends({ kept: 5, clock: () => now });
      const advance = (ms: number) => {
        now += ms;
      };
      return { journal, advance, reopen: async () => journal.another(), dispose: () => journal.close() };
    },
  });
});

describe.each(["the memory journal", "a folder"])("outcome that %s cannot write", (kind) => {
  const full = Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "rename" });

  function fixture() {
    const folder = scratchFolder();
    const disk = { full: false };
    const rename = (from: string, to: string) => {
      if (disk.full) throw full;
      nodeWriteCalls.rename(from, to);
    };
    const calls = { ...nodeWriteCalls, rename, fsync: async () => undefined };
    const open = () => sendFolder({ dir: folder.path, clock: () => START_MS, calls });
    const memory = memorySends();
    const journal = kind === "a folder" ? open() : memory;
    return {
      journal,
      /** The next write fails. */
      fail() {
        disk.full = true;
        memory.failNext("note", new TmpmError("STORAGE_FULL", "no space"));
      },
      makeRoom() {
        disk.full = false;
      },
      next: () => (kind === "a folder" ? open() : memory.another()),
      dispose: () => folder.remove(),
    };
  }

  const done: SendEntry = { ...entry(), step: "done" };

  test.each(["flush", "close"] as const)("stands in this process, and is written by %s", async (how) => {
    const { journal, fail, makeRoom, next, dispose } = fixture();
    await journal.accept(entry(), "text");
    fail();
    await expect(journal.note(done)).rejects.toMatchObject({ code: "STORAGE_FULL", effect: "none" });
    expect([await journal.list(SESSION), await journal.pending()]).toEqual([[done], []]);
    expect(await next().pending()).toEqual([entry()]);
    fail();
    await journal.flush();
    expect(await next().pending()).toEqual([entry()]);
    makeRoom();
    await journal[how]();
    expect([await next().list(SESSION), await next().pending(), await next().text(done)]).toEqual([[done], [], null]);
    dispose();
  });

  test("is not written for a forgotten session", async () => {
    const { journal, fail, makeRoom, next, dispose } = fixture();
    await journal.accept(entry(), "text");
    fail();
    await expect(journal.note(done)).rejects.toMatchObject({ code: "STORAGE_FULL" });
    makeRoom();
    await journal.forget(SESSION);
    await journal.flush();
    expect(await next().list(SESSION)).toEqual([]);
    dispose();
  });
});

describe("send folder", () => {
  // These properties do not depend on the disk.
  const calls = { ...nodeWriteCalls, fsync: async () => undefined };

  sendJournalContract({
    test,
    async open() {
      const folder = scratchFolder();
      let now = START_MS;
      const open = () => sendFolder({ dir: join(folder.path, "data", "sends"), kept: 5, clock: () => now, calls });
      const journal = open();
      const advance = (ms: number) => {
        now += ms;
      };
      return { journal, advance, reopen: async () => open(), dispose: async () => folder.remove() };
    },
  });

  test("text and document are private, and durable before the send is accepted", async () => {
    const folder = scratchFolder();
    const renamed: string[] = [];
    let synced = 0;
    const journal = sendFolder({
      dir: folder.path,
      calls: {
        ...nodeWriteCalls,
        rename: (from, to) => {
          renamed.push(to.slice(-5));
          nodeWriteCalls.rename(from, to);
        },
        fsync: (fd) => {
          synced++;
          return nodeWriteCalls.fsync(fd);
        },
      },
    });
    await journal.accept(entry(), "secret");
    expect(renamed).toEqual([".text", ".json"]);
    expect(synced).toBeGreaterThanOrEqual(4);
    const dir = join(folder.path, SESSION);
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777, name).toBe(0o600);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    await journal.note({ ...entry(), step: "done" });
    expect(readdirSync(dir)).toEqual([`${entry().id}.json`]);
    folder.remove();
  });

  test("a send that could not be written is not accepted, also for the next process", async () => {
    const folder = scratchFolder();
    let renames = 0;
    const fails = Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "rename" });
    const rename = (from: string, to: string) => {
      if (++renames === 2) throw fails;
      nodeWriteCalls.rename(from, to);
    };
    const journal = sendFolder({ dir: folder.path, calls: { ...nodeWriteCalls, rename } });
    await expect(journal.accept(entry(), "text")).rejects.toMatchObject({ code: "STORAGE_FULL", effect: "none" });
    expect(await journal.list(SESSION)).toEqual([]);
    expect(await sendFolder({ dir: folder.path }).list(SESSION)).toEqual([]);
    await journal.accept(entry(), "text");
    folder.remove();
  });

  test("a send that a read-only disk refuses had no effect, and others stay", async () => {
    const folder = scratchFolder();
    const fails = Object.assign(new Error("read-only"), { code: "EROFS", syscall: "open" });
    const refuse = () => {
      throw fails;
    };
    await sendFolder({ dir: folder.path, calls }).accept(entry(), "text");
    const journal = sendFolder({ dir: folder.path, calls: { ...calls, create: refuse, rename: refuse, unlink: refuse, mkdir: refuse } });
    const other = entry("00000000-0000-4000-9000-000000000002");
    await expect(journal.accept(other, "text")).rejects.toMatchObject({ code: "STORE_READ_ONLY", effect: "none" });
    expect(await journal.list(SESSION)).toEqual([entry()]);
    await expect(journal.forget(SESSION)).rejects.toMatchObject({ code: "STORE_READ_ONLY", effect: "unknown" });
    folder.remove();
  });

  test("nothing is left of a forgotten session, and a later send is durable", async () => {
    const folder = scratchFolder();
    let synced = 0;
    const fsync = async () => void synced++;
    const journal = sendFolder({ dir: folder.path, calls: { ...calls, fsync } });
    await journal.accept(entry(), "text");
    const before = synced;
    await journal.forget(SESSION);
    expect(readdirSync(folder.path)).toEqual([]);
    await journal.accept(entry(), "text");
    expect(synced - before).toBe(before - 1);
    expect(await sendFolder({ dir: folder.path }).pending()).toEqual([entry()]);
    folder.remove();
  });

  test("keeps the fields of a newer version when it writes a send again", async () => {
    const folder = scratchFolder();
    const path = join(folder.path, SESSION, `${entry().id}.json`);
    await sendFolder({ dir: folder.path, calls }).accept(entry(), "text");
    const screen = { lines: [], columns: 80, cursor: { column: 0, row: 0, visible: true, shape: "bar" }, history_size: 0, title: "" };
    const newer = { ...entry(), later: { n: 1 }, screen: { ...screen, foreground: null, command: "sh", colours: 256 } };
    writeFileSync(path, JSON.stringify(newer));
    const journal = sendFolder({ dir: folder.path, calls });
    const [read] = await journal.list(SESSION);
    if (read === undefined) throw new Error("the send was not read");
    await journal.note({ ...read, step: "done" });
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ ...newer, step: "done" });
    folder.remove();
  });

  test.each([
    { what: "an unknown step", fields: { step: "rehearsing" } },
    { what: "a later schema", fields: { schema_version: 2 } },
    { what: "an unknown reason", fields: { step: "done", receipt: { outcome: "held", reason: "later_reason", bytes: 1, evidence: [] } } },
  ])("keeps a send of a newer version ($what), and its key is in use", async ({ fields }) => {
    const folder = scratchFolder();
    const path = join(folder.path, SESSION, `${entry().id}.json`);
    await sendFolder({ dir: folder.path, calls }).accept({ ...entry(), key: "k" }, "text");
    const text = JSON.stringify({ ...entry(), key: "k", ...fields });
    writeFileSync(path, text);
    const journal = sendFolder({ dir: folder.path, calls });
    const repeated = { ...entry("00000000-0000-4000-9000-000000000002"), key: "k" };
    await expect(journal.accept(repeated, "text")).rejects.toMatchObject({ code: "RECORD_UNSUPPORTED", effect: "unknown" });
    expect([await journal.list(SESSION), await journal.pending()]).toEqual([[], []]);
    await journal.accept({ ...repeated, key: "other" }, "text");
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(readdirSync(join(folder.path, SESSION))).toContain(`${entry().id}.text`);
    folder.remove();
  });

  test.each([
    { what: "cut short", spoil: (path: string) => writeFileSync(path, '{"key":"k') },
    { what: "without a key", spoil: (path: string) => writeFileSync(path, "{}") },
    { what: "not UTF-8", spoil: (path: string) => writeFileSync(path, Buffer.from([0xff, 0xfe])) },
    { what: "too large", spoil: (path: string) => truncateSync(path, 2 * 1024 * 1024) },
    {
      what: "a directory",
      spoil(path: string) {
        rmSync(path);
        mkdirSync(path);
      },
    },
  ])("accepts no keyed send beside one whose key is unknown ($what)", async ({ spoil }) => {
    const folder = scratchFolder();
    await sendFolder({ dir: folder.path, calls }).accept({ ...entry(), key: "k" }, "text");
    spoil(join(folder.path, SESSION, `${entry().id}.json`));
    const journal = sendFolder({ dir: folder.path, calls });
    const repeated = { ...entry("00000000-0000-4000-9000-000000000002"), key: "k" };
    await expect(journal.accept(repeated, "text")).rejects.toMatchObject({
      code: "RECORD_UNSUPPORTED",
      effect: "unknown",
      hint: expect.stringContaining("without a key"),
    });
    await journal.accept({ ...repeated, key: null }, "text");
    expect(readdirSync(join(folder.path, SESSION))).toEqual(expect.arrayContaining([`${entry().id}.json`, `${entry().id}.text`]));
    folder.remove();
  });

  test("a document of another send keeps its key in use", async () => {
    const folder = scratchFolder();
    await sendFolder({ dir: folder.path, calls }).accept({ ...entry(), key: "k" }, "text");
    const dir = join(folder.path, SESSION);
    renameSync(join(dir, `${entry().id}.json`), join(dir, "00000000-0000-4000-9000-000000000003.json"));
    const journal = sendFolder({ dir: folder.path, calls });
    const repeated = { ...entry("00000000-0000-4000-9000-000000000002"), key: "k" };
    await expect(journal.accept(repeated, "text")).rejects.toMatchObject({ code: "RECORD_UNSUPPORTED", effect: "unknown" });
    await journal.accept({ ...repeated, key: "other" }, "text");
    folder.remove();
  });

  test("removes half-written files of a killed process, and keeps unreadable ones", async () => {
    const folder = scratchFolder();
    const dir = join(folder.path, SESSION);
    await sendFolder({ dir: folder.path }).accept(entry(), "text");
    for (const name of [".x.1.0000000000000000.tmp", "00000000-0000-4000-9000-00000000000f.text"]) writeFileSync(join(dir, name), "x");
    expect(await sendFolder({ dir: folder.path }).pending()).toEqual([entry()]);
    expect(readdirSync(dir).sort()).toEqual([`${entry().id}.json`, `${entry().id}.text`]);
    const damaged = "00000000-0000-4000-9000-00000000000e";
    for (const name of [`${damaged}.json`, `${damaged}.text`]) writeFileSync(join(dir, name), "{");
    expect(await sendFolder({ dir: folder.path }).pending()).toEqual([entry()]);
    expect(readFileSync(join(dir, `${damaged}.text`), "utf8")).toBe("{");
    folder.remove();
  });
});
