import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Turn, timestampFromMs } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { turnJournalContract } from "../src/contract/index.js";
import { nodeWriteCalls } from "../src/durable/write-durably.js";
import { memoryTurns } from "../src/memory.js";
import { turnFolder } from "../src/turns/turn-folder.js";
import { scratchFolder } from "./scratch-folder.js";

const SESSION = "00000000-0000-4000-8000-00000000000a";
const ID = "00000000-0000-4000-9000-000000000001";

const turn: Turn = Turn.parse({
  id: ID,
  session_id: SESSION,
  project_id: "default",
  generation: 1,
  state: "running",
  one_at_a_time: true,
  place: 1,
  key: null,
  prompt: "prompt",
  prompt_bytes: 6,
  prompt_digest: "d",
  accepted_at: timestampFromMs(1_000_000),
});
const ended: Turn = { ...turn, state: "ended", outcome: "completed", reason: "ready" };

describe("memory turn journal", () => {
  turnJournalContract({
    test,
    async open() {
      const journal = memoryTurns({ kept: 5 });
      return { journal, reopen: async () => journal, dispose: () => journal.close() };
    },
  });
});

describe("turn folder", () => {
  // These properties do not depend on the disk.
  const calls = { ...nodeWriteCalls, fsync: async () => undefined };

  turnJournalContract({
    test,
    async open() {
      const folder = scratchFolder();
      const open = () => turnFolder({ dir: join(folder.path, "data", "turns"), kept: 5, calls });
      const journal = open();
      return {
        journal,
        reopen: async () => open(),
        async dispose() {
          await journal.close();
          folder.remove();
        },
      };
    },
  });

  test("documents are private, and durable before a turn is saved", async () => {
    const folder = scratchFolder();
    let synced = 0;
    const fsync = (fd: number) => {
      synced++;
      return nodeWriteCalls.fsync(fd);
    };
    const journal = turnFolder({ dir: folder.path, calls: { ...nodeWriteCalls, fsync } });
    await journal.keep(turn);
    expect(synced).toBeGreaterThanOrEqual(2);
    const dir = join(folder.path, SESSION);
    expect(readdirSync(dir)).toEqual([`000000001-${ID}.open.json`]);
    expect(statSync(join(dir, `000000001-${ID}.open.json`)).mode & 0o777).toBe(0o600);
    await journal.keep(ended);
    expect(readdirSync(dir)).toEqual([`000000001-${ID}.json`]);
    folder.remove();
  });

  test("a process killed between writing an outcome and removing the open file leaves the outcome", async () => {
    const folder = scratchFolder();
    const killed = { ...calls, unlink: () => undefined };
    const journal = turnFolder({ dir: folder.path, calls: killed });
    await journal.keep(turn);
    await journal.keep(ended);
    const next = turnFolder({ dir: folder.path });
    expect(await next.open()).toEqual([]);
    expect(await next.list(SESSION)).toEqual([ended]);
    folder.remove();
  });

  test("removes half-written files, and keeps unreadable ones", async () => {
    const folder = scratchFolder();
    await turnFolder({ dir: folder.path, calls }).keep(turn);
    const dir = join(folder.path, SESSION);
    const damaged = `000000002-${ID.replace(/1$/, "2")}.open.json`;
    for (const name of [`.x.1.0000000000000000.tmp`, damaged, "notes.txt"]) writeFileSync(join(dir, name), "{");
    const next = turnFolder({ dir: folder.path, calls });
    expect(await next.open()).toEqual([turn]);
    expect(readdirSync(dir).sort()).toEqual([`000000001-${ID}.open.json`, damaged, "notes.txt"]);
    folder.remove();
  });

  test("keeps the fields of a newer version when it writes a turn again", async () => {
    const folder = scratchFolder();
    await turnFolder({ dir: folder.path, calls }).keep(turn);
    const newer = { ...turn, later: { n: 1 } };
    writeFileSync(join(folder.path, SESSION, `000000001-${ID}.open.json`), JSON.stringify(newer));
    const journal = turnFolder({ dir: folder.path, calls });
    const [read] = await journal.open();
    expect(read).toEqual(newer);
    await journal.keep({ ...ended, ...read, state: "ended" });
    expect(JSON.parse(readFileSync(join(folder.path, SESSION, `000000001-${ID}.json`), "utf8"))).toMatchObject({ later: { n: 1 } });
    folder.remove();
  });

  test("never replaces or removes a turn of a newer version", async () => {
    const folder = scratchFolder();
    await turnFolder({ dir: folder.path, calls }).keep(turn);
    const journal = turnFolder({ dir: folder.path, calls });
    const path = join(folder.path, SESSION, `000000001-${ID}.open.json`);
    const text = JSON.stringify({ ...turn, state: "rehearsing" });
    writeFileSync(path, text);
    await expect(journal.keep(turn)).rejects.toMatchObject({ code: "RECORD_UNSUPPORTED", effect: "none" });
    await journal.keep(ended);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(await turnFolder({ dir: folder.path, calls }).list(SESSION)).toEqual([ended]);
    folder.remove();
  });

  test("an unreadable newest turn keeps its generation", async () => {
    const folder = scratchFolder();
    const journal = turnFolder({ dir: folder.path, calls });
    await journal.keep(turn);
    writeFileSync(join(folder.path, SESSION, `000000007-${ID.replace(/1$/, "2")}.json`), "{");
    expect(await journal.list(SESSION)).toEqual([turn]);
    expect(await journal.lastGeneration(SESSION)).toBe(7);
    folder.remove();
  });

  test("nothing is left of a forgotten session", async () => {
    const folder = scratchFolder();
    const journal = turnFolder({ dir: folder.path, calls });
    await journal.keep(turn);
    await journal.forget(SESSION);
    expect(readdirSync(folder.path)).toEqual([]);
    await journal.keep(turn);
    expect(await journal.list(SESSION)).toEqual([turn]);
    folder.remove();
  });
});
