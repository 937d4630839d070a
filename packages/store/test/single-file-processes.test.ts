import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { sampleRecord } from "../src/contract/sample-record.js";
import { singleFileStore } from "../src/single-file-store.js";
import type { SessionStore } from "../src/store.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";
import { type Workers, workers } from "./worker.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const { id } = sampleRecord(1);
const other = sampleRecord(2).id;
const layout = "single-file";
let all: Workers;
let folder: ScratchFolder;
let base: string;
let store: SessionStore;

beforeAll(async () => {
  all = await workers();
});
afterAll(() => all.dispose());
beforeEach(async () => {
  folder = scratchFolder();
  base = join(folder.path, "sessions.json");
  store = singleFileStore({ path: base });
  await store.create(sampleRecord(1));
  await store.create(sampleRecord(2));
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

async function revOf(session: string): Promise<number> {
  const entry = await store.get(session);
  return entry?.kind === "session" ? entry.record.rev : -1;
}

test("three processes that update two records of one file lose no update", { timeout: 60_000 + 30_000 * scale }, async () => {
  const times = scale < 10 ? 20 * scale : 40 * scale;
  const jobs = [id, other, id].map((session) => all.start({ do: "increment", base, id: session, times, layout }));
  expect(await Promise.all(jobs.map((job) => job.next()))).toEqual(["done", "done", "done"]);
  expect(await revOf(id)).toBe(2 * times + 1);
  expect(await revOf(other)).toBe(times + 1);
  expect(store.health()).toEqual({ state: "ok" });
  expect(readdirSync(join(`${base}.tmpm`, ".locks"))).toEqual([]);
});

/**
 * For an update: the bytes of the file and of its copy, then the name of the file, then that of the copy. The states of all other calls are covered by
 * `crash/crash-states.test.ts`.
 */
const DEATHS = [
  { call: "fsync", nth: 1, done: false },
  { call: "fsync", nth: 2, done: false },
  { call: "rename", nth: 1, done: false },
  { call: "fsync", nth: 3, done: true },
  { call: "rename", nth: 2, done: true },
] as const;

test.each(DEATHS)(
  "a process that dies in call $call number $nth leaves the whole old or new file, no lock and no false conflict",
  async (death) => {
    const victim = all.start({ do: "die-in", base, id, layout, ...death });
    expect(await victim.ended).toBe("SIGKILL");
    expect(await revOf(id)).toBe(death.done ? 2 : 1);
    const next = singleFileStore({ path: base });
    expect(await next.list()).toHaveLength(2);
    expect((await next.update(id, (current) => ({ ...current, task: "next" }))).rev).toBe(death.done ? 3 : 2);
    expect(next.health()).toEqual({ state: "ok" });
    const left = [...readdirSync(folder.path), ...readdirSync(`${base}.tmpm`)].filter((name) => name.endsWith(".tmp"));
    expect(left).toEqual([]);
    await next.close();
  },
);

test("a process killed at any moment loses no acknowledged write and tears no file", {
  timeout: 60_000 + 60_000 * scale,
}, async () => {
  for (let round = 0; round < (scale < 10 ? 3 * scale : 6 * scale); round++) {
    const victim = all.start({ do: "hammer", base, id, layout });
    let acknowledged = 0;
    for (let said = 0; said <= round % 6; said++) acknowledged = Number(await victim.next());
    victim.kill("SIGKILL");
    for (const rev of await victim.rest()) acknowledged = Number(rev);
    expect(await victim.ended).toBe("SIGKILL");
    const rev = await revOf(id);
    expect(rev).toBeGreaterThanOrEqual(acknowledged);
    expect(rev).toBeLessThanOrEqual(acknowledged + 1);
    expect(JSON.parse(readFileSync(base, "utf8")).sessions[id].tmpm.rev).toBe(rev);
    expect(await revOf(other)).toBe(1);
  }
  await store.update(id, (current) => ({ ...current, task: "alive" }));
  expect(store.health()).toEqual({ state: "ok" });
});
