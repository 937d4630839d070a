import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sampleRecord } from "../src/contract/sample-record.js";
import { directoryStore } from "../src/sessions/directory-store.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";
import { type Workers, workers } from "./worker.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const { id } = sampleRecord(1);
let all: Workers;
let folder: ScratchFolder;
let base: string;

beforeAll(async () => {
  all = await workers();
});
afterAll(() => all.dispose());
beforeEach(() => {
  folder = scratchFolder();
  base = join(folder.path, "sessions");
});
afterEach(() => folder.remove());

function text(): string {
  return readFileSync(join(base, "default", `${id}.json`), "utf8");
}

function temporaries(): readonly string[] {
  return readdirSync(join(base, "default")).filter((name) => name.endsWith(".tmp"));
}

describe("several processes", () => {
  test("two that update one record repeatedly lose no update", { timeout: 60_000 + 30_000 * scale }, async () => {
    const times = scale < 10 ? 50 * scale : 150 * scale;
    const store = directoryStore({ base });
    await store.create(sampleRecord(1));
    const jobs = [1, 2].map(() => all.start({ do: "increment", base, id, times }));
    expect(await Promise.all(jobs.map((job) => job.next()))).toEqual(["done", "done"]);
    const entry = await store.get(id);
    expect(entry).toMatchObject({ kind: "session", record: { counter: 2 * times, rev: 2 * times + 1 } });
    expect(readdirSync(join(base, ".locks"))).toEqual([]);
    await store.close();
  });

  test("one that is killed between write and rename leaves the old record, no lock, and a temporary file for the next start", async () => {
    const store = directoryStore({ base });
    await store.create(sampleRecord(1));
    const before = text();
    const victim = all.start({ do: "die-in", base, id, call: "rename" });
    expect(await victim.ended).toBe("SIGKILL");
    expect(text()).toBe(before);
    expect(temporaries()).toHaveLength(1);
    expect((await store.update(id, (current) => ({ ...current, task: "next" }))).rev).toBe(2);
    const next = directoryStore({ base });
    expect(await next.list()).toHaveLength(1);
    expect(temporaries()).toEqual([]);
    expect(readdirSync(join(base, ".locks"))).toEqual([]);
  });

  test("one that is killed at any moment loses no acknowledged write and tears no file", {
    timeout: 60_000 + 60_000 * scale,
  }, async () => {
    const store = directoryStore({ base });
    await store.create(sampleRecord(1));
    for (let round = 0; round < (scale < 10 ? 3 * scale : 8 * scale); round++) {
      const victim = all.start({ do: "hammer", base, id });
      let acknowledged = 0;
      for (let said = 0; said <= round % 8; said++) acknowledged = Number(await victim.next());
      victim.kill("SIGKILL");
      for (const rev of await victim.rest()) acknowledged = Number(rev);
      expect(await victim.ended).toBe("SIGKILL");
      expect(acknowledged).toBeGreaterThan(round);
      const entry = await store.get(id);
      expect(entry?.kind).toBe("session");
      if (entry?.kind !== "session") return;
      expect(entry.record.rev).toBeGreaterThanOrEqual(acknowledged);
      expect(entry.record.rev).toBeLessThanOrEqual(acknowledged + 1);
      expect(JSON.parse(text()).rev).toBe(entry.record.rev);
    }
    expect(existsSync(join(base, "default"))).toBe(true);
  });

  test("one out of file descriptors serves known records as degraded, writes nothing and recovers", async () => {
    const store = directoryStore({ base });
    await store.create(sampleRecord(1));
    const worker = all.start({ do: "exhaust", base, id }, { prefix: ["sh", "-c", 'ulimit -n 64; exec "$@"', "sh"] });
    expect(await worker.next()).toMatchObject({
      full: { code: "EMFILE" },
      listed: { ok: [""] },
      health: "degraded",
      updated: { code: "STORE_DEGRADED", effect: "none" },
      after: { ok: ["edited"] },
      healthAfter: "ok",
    });
  });
});
