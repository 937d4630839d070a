import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionRecord } from "@tmpm/core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../src/contract/assertions.js";
import { sampleRecord } from "../src/contract/sample-record.js";
import { singleFileStore } from "../src/single-file-store.js";
import type { Conflict, SessionStore, StoreEvent } from "../src/store.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";
import { type TrustyCommand, type Worker, type Workers, workers } from "./worker.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const { id } = sampleRecord(1);
const other = sampleRecord(2).id;
let all: Workers;
let folder: ScratchFolder;
let path: string;
let store: SessionStore;
let trusty: Worker;

beforeAll(async () => {
  all = await workers();
});
afterAll(() => all.dispose());
beforeEach(() => {
  folder = scratchFolder();
  path = join(folder.path, "sessions.json");
  store = singleFileStore({ path });
  trusty = all.startTrusty(path);
});
afterEach(async () => {
  trusty.kill("SIGKILL");
  await store.close();
  folder.remove();
});

function ask(command: TrustyCommand): Promise<unknown> {
  trusty.send(JSON.stringify(command));
  return trusty.next();
}

async function record(of = store) {
  const entry = await of.get(id);
  if (entry?.kind !== "session") throw new Error(`not a session: ${JSON.stringify(entry)}`);
  return entry.record;
}

/** The only conflict that the store reports, once it is recorded. */
async function conflictIn(
  of = store,
): Promise<{ readonly path: string; readonly ours: SessionRecord; readonly theirs: SessionRecord | null }> {
  let conflicts: readonly Conflict[] = [];
  await eventually(async () => {
    await of.list();
    const health = of.health();
    conflicts = health.state === "ok" ? (health.conflicts ?? []) : [];
    expect(conflicts).toHaveLength(1);
  });
  const [conflict] = conflicts;
  expect(conflict?.id).toBe(id);
  return { path: conflict?.path ?? "", ...JSON.parse(readFileSync(conflict?.path ?? "", "utf8")) };
}

async function settled(of = store): Promise<void> {
  await of.update(id, (current) => current);
}

describe("trusty-mpm", () => {
  test("reads our writes, and our next read sees its upsert", async () => {
    await store.create(sampleRecord(1, { state: "stopped", task: "größer" }));
    await store.archive(id);
    expect(await ask({ do: "read" })).toMatchObject({ [id]: { id, state: "stopped", task: "größer", runtime: "claude-code" } });
    await ask({ do: "upsert", id, fields: { state: "active", last_activity_at: "2026-01-02T00:00:00Z" } });
    expect(await record()).toMatchObject({ state: "active", last_activity_at: "2026-01-02T00:00:00Z" });
  });

  test("drops unknown fields, which we keep: ours, later ones, the archive, exact numbers", async () => {
    const mine = { project_id: "web", conversation_id: "c", agent_config: { model: "m" }, workspace_owned: true, ephemeral: true };
    const created = await store.create({ ...sampleRecord(1, mine), unknown: [1] });
    await store.archive(id);
    const big = '"unknown": 12345678901234567890';
    const text = readFileSync(path, "utf8").replace(/"unknown": \[\s*1\s*\]/, big);
    rmSync(path);

    writeFileSync(path, text);
    await store.update(id, (current) => ({ ...current, pid: 7 }));

    await ask({ do: "upsert", id, fields: { last_activity_at: "2026-01-02T00:00:00Z" } });
    expect(JSON.parse(readFileSync(path, "utf8")).sessions[id]).not.toHaveProperty("tmpm");
    const { unknown, ...known } = created;
    expect(unknown).toEqual([1]);
    expect(await store.get(id)).toMatchObject({
      archived: true,
      record: { ...known, rev: 2, pid: 7, last_activity_at: "2026-01-02T00:00:00Z" },
    });
    const fresh = singleFileStore({ path });
    expect(await record(fresh)).toEqual(await record());
    expect((await store.update(id, (current) => ({ ...current, pid: 8 }))).rev).toBe(3);
    expect(readFileSync(path, "utf8")).toContain(big);
    expect(store.health()).toEqual({ state: "ok" });
  });

  test("overwriting our change from its memory is reported, and both versions are kept", async () => {
    const events: StoreEvent[] = [];
    await store.create(sampleRecord(1, { project_id: "web" }));
    store.watch((event) => events.push(event));
    await ask({ do: "read" });
    await store.update(id, (current) => ({ ...current, state: "stopped", pid: 7 }));
    await store.update(id, (current) => ({ ...current, task: "later" }));
    await store.update(id, (current) => ({ ...current, pid: 8 }));
    await ask({ do: "save-from-memory", id, fields: { last_activity_at: "2026-01-02T00:00:00Z" } });

    expect(await record()).toMatchObject({ state: "active", task: "", project_id: "web", last_activity_at: "2026-01-02T00:00:00Z" });
    const conflict = await conflictIn();
    expect(conflict.ours).toMatchObject({ state: "stopped", task: "later", tmpm: { pid: 8, rev: 4 } });
    expect(conflict.theirs).toMatchObject({ state: "active", last_activity_at: "2026-01-02T00:00:00Z" });
    await eventually(() => expect(events).toContainEqual({ type: "conflict", id, path: conflict.path }));

    expect((await store.update(id, (current) => ({ ...current, state: "errored" }))).rev).toBe(5);
    expect(await ask({ do: "read" })).toMatchObject({ [id]: { state: "errored" } });
    expect((await conflictIn()).path).toBe(conflict.path);
    rmSync(conflict.path);
    await settled();
    expect(store.health()).toEqual({ state: "ok" });
  });

  test("overwriting while no tmpm runs is reported by the next one, once", async () => {
    await store.create(sampleRecord(1));
    await ask({ do: "read" });
    await store.update(id, (current) => ({ ...current, task: "ours" }));
    await store.close();
    await ask({ do: "save-from-memory", id, fields: {} });
    const next = singleFileStore({ path });
    const conflict = await conflictIn(next);
    expect(conflict.ours.task).toBe("ours");
    const another = singleFileStore({ path });
    await settled(another);
    expect(another.health()).toEqual({ state: "ok", conflicts: [{ id, path: conflict.path }] });
    await Promise.all([next.close(), another.close()]);
  });

  test("saving without our record removes it; the record is reported and kept", async () => {
    await ask({ do: "read" });
    await store.create(sampleRecord(1, { task: "ours" }));
    await ask({ do: "save-from-memory", id: other, fields: theirs(other) });
    expect(await store.get(id)).toBeNull();
    expect(await conflictIn()).toMatchObject({ ours: { task: "ours", tmpm: { rev: 1 } }, theirs: null });
    expect((await store.create(sampleRecord(1))).rev).toBe(1);
  });

  test("changing other fields than we did is reported as an update only, also in its own records", async () => {
    await ask({ do: "upsert", id, fields: theirs(id) });
    await store.update(id, (current) => ({ ...current, task: "ours", project_id: current.project_id, pid: 7 }));
    for (const branch of ["a", "b", "c"]) {
      await ask({ do: "upsert", id, fields: { branch } });
      expect(await record()).toMatchObject({ branch, task: "ours", pid: 7, rev: 1 });
      await settled();
    }
    expect(store.health()).toEqual({ state: "ok" });
  });

  test("does not see our deleted record, and a record that it writes back is a session again", async () => {
    await store.create(sampleRecord(1));
    await store.delete(id);
    expect(await ask({ do: "read" })).toEqual({});
    await ask({ do: "upsert", id, fields: theirs(id) });
    expect((await record()).rev).toBe(0);
    expect(store.health()).toEqual({ state: "ok" });
  });

  test("an older file restored by a program that keeps our fields is reported too", async () => {
    await store.create(sampleRecord(1, { task: "old" }));
    const old = readFileSync(path);
    await store.update(id, (current) => ({ ...current, task: "new" }));
    writeFileSync(path, old);
    expect(await record()).toMatchObject({ task: "old", rev: 1 });
    expect(await conflictIn()).toMatchObject({ ours: { task: "new" }, theirs: { task: "old" } });
    writeFileSync(path, old.toString().replace('"old"', '"edited"'));
    expect(await record()).toMatchObject({ task: "edited" });
    await settled();
    expect((await conflictIn()).ours.task).toBe("new");
  });

  test("concurrent writes lose no acknowledged change of ours without a report", { timeout: 120_000 }, async () => {
    await store.create(sampleRecord(1));
    await ask({ do: "upsert", id: other, fields: theirs(other) });
    const churned = ask({ do: "churn", id: other, times: scale < 10 ? 30 * scale : 60 * scale });
    let running = true;
    const ended = churned.then(() => {
      running = false;
    });
    const lost: string[] = [];
    let last = "";
    for (let count = 0; running; count++) {
      const task = `ours ${count}`;
      await writeOr(task, (found) => {
        if (found !== null && found !== last) lost.push(last);
        last = task;
      });
    }
    await ended;
    await settled();
    const kept = await conflictTasks();
    for (const task of lost.slice(-90)) expect(kept).toContain(task);
    expect([(await store.get(id)) === null ? null : (await record()).task, ...kept]).toContain(last);
  });
});

/** Writes `task`, and returns its previous value; continues if the record was removed, or the file is rewritten too often. */
async function writeOr(task: string, done: (found: string | null) => void): Promise<void> {
  let found: string | null = null;
  try {
    await store.update(id, (current) => {
      found = current.task;
      return { ...current, task };
    });
    done(found);
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(REV_CONFLICT|SESSION_NOT_FOUND)$/), effect: "none" });
  }
}

async function conflictTasks(): Promise<readonly string[]> {
  const health = store.health();
  if (health.state !== "ok") throw health.error;
  return (health.conflicts ?? []).map((conflict) => JSON.parse(readFileSync(conflict.path, "utf8")).ours.task);
}

function theirs(sessionId: string) {
  return { id: sessionId, tmux_name: "tmpm-x", cwd: "/w", task: "t", state: "active", created_at: "2026-01-01T00:00:00Z" };
}
