import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionRecord } from "@tmpm/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampleRecord } from "../src/contract/sample-record.js";
import { directoryStore } from "../src/sessions/directory-store.js";
import type { SessionStore } from "../src/store.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";

const record = sampleRecord(1, { rev: 1 });
let folder: ScratchFolder;
let path: string;
let store: SessionStore;

beforeEach(() => {
  folder = scratchFolder();
  path = join(folder.path, "default", `${record.id}.json`);
  mkdirSync(dirname(path));
  store = directoryStore({ base: folder.path });
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

/** The record's document with additional text at its end. */
function write(more: string, changes: Partial<SessionRecord> = {}): void {
  writeFileSync(path, `${JSON.stringify({ ...record, ...changes }).slice(0, -1)}${more}}`);
}

function change(changes: Partial<SessionRecord>): Promise<SessionRecord> {
  return store.update(record.id, (current) => ({ ...current, ...changes }));
}

describe("updating a document", () => {
  test("keeps the text of numbers, also beyond a double's precision", async () => {
    const more = ',"big":123456789012345678901234567890,"money":1.10,"huge":1e400,"list":[0.10,{"deep":-0.0}],"zero":1E+2';
    write(more);
    await change({ task: "t" });
    const text = readFileSync(path, "utf8");
    for (const number of [": 123456789012345678901234567890", ": 1.10", ": 1e400", "0.10", ": -0.0", ": 1E+2"])
      expect(text).toContain(number);
    expect(text).toContain('"rev": 2');
  });

  test("replaces only the changed number", async () => {
    write(',"pair":{"a":1.10,"b":2.20},"list":[1.10,2.20]');
    await change({ pair: { a: 3, b: 2.2 }, list: [1.1, 5, 6] });
    const document = readFileSync(path, "utf8").replaceAll(/\s/g, "");
    expect(document).toContain('"pair":{"a":3,"b":2.20}');
    expect(document).toContain('"list":[1.10,5,6]');
  });

  test("keeps unknown fields of a changed object, and drops them when the object is replaced", async () => {
    const { correlation: _, ...rest } = record;
    writeFileSync(path, JSON.stringify({ ...rest, correlation: { branch: "a", review: { id: 7 } } }));
    await store.update(record.id, (current) => ({ ...current, correlation: { ...current.correlation, branch: "b" } }));
    expect(JSON.parse(readFileSync(path, "utf8")).correlation).toEqual({ branch: "b", review: { id: 7 } });
    await change({ correlation: { ...record.correlation, branch: "c" } });
    expect(JSON.parse(readFileSync(path, "utf8")).correlation).toEqual({ branch: "c" });
  });

  test("drops a removed setting, and keeps the order of other unknown fields", async () => {
    write(',"z_last":1,"a_first":2', { agent_config: { model: "m", effort: "high" } });
    await change({ agent_config: { effort: "high" } });
    const document = JSON.parse(readFileSync(path, "utf8"));
    expect(document.agent_config).toEqual({ effort: "high" });
    expect(Object.keys(document).slice(-2)).toEqual(["z_last", "a_first"]);
  });

  test("keeps times in another form and absent fields until they change", async () => {
    const { issue_id: _, ...rest } = record;
    writeFileSync(path, JSON.stringify({ ...rest, launched_at: { secs_since_epoch: 1700000000, nanos_since_epoch: 5 } }));
    const changed = await change({ task: "t" });
    expect(changed.launched_at).toBe("2023-11-14T22:13:20.000000005Z");
    const document = JSON.parse(readFileSync(path, "utf8"));
    expect(document.launched_at).toEqual({ secs_since_epoch: 1700000000, nanos_since_epoch: 5 });
    expect(document).not.toHaveProperty("issue_id");
    await change({ launched_at: null, issue_id: "9" });
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ launched_at: null, issue_id: "9" });
  });

  test("treats a __proto__ key as data: it is kept and changes no object", async () => {
    write(',"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}');
    const changed = await change({ task: "t" });
    expect("polluted" in {}).toBe(false);
    expect("polluted" in changed).toBe(false);
    expect(readFileSync(path, "utf8").replaceAll(/\s/g, "")).toContain(
      '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}',
    );
  });

  test("never writes a document with a duplicate key, but reads it", async () => {
    write(',"note":1,"note":2');
    const before = readFileSync(path, "utf8");
    expect(await store.get(record.id)).toMatchObject({ kind: "session", record: { note: 2 } });
    await expect(change({ task: "t" })).rejects.toMatchObject({ code: "RECORD_DAMAGED", effect: "none" });
    expect(readFileSync(path, "utf8")).toBe(before);
  });
});

describe("documents of other versions", () => {
  test.each([
    ["a newer schema version", { schema_version: 2 }],
    ["an unknown state", { state: "hibernating" }],
    ["an unknown word in a nested field", { intent: { op: "migrate", step: "s", key: "k", at: record.created_at } }],
  ])("with %s are listed as unsupported, found by name, and never written", async (_title, changes) => {
    const text = JSON.stringify({ ...record, ...changes, new_field: [1] });
    writeFileSync(path, text);
    const entry = await store.get(record.id);
    expect(entry).toMatchObject({ kind: "unsupported", id: record.id, project_id: "default", document: { new_field: [1] } });
    expect(await store.find(record.name)).toEqual([entry]);
    expect(await store.list()).toEqual([entry]);
    for (const write of [change({ task: "t" }), store.archive(record.id), store.delete(record.id)]) {
      await expect(write).rejects.toMatchObject({ code: "RECORD_UNSUPPORTED", effect: "none" });
    }
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  test("without later fields load with their defaults", async () => {
    const { id, name, tmux_name, cwd, state, created_at, updated_at, agent } = record;
    writeFileSync(path, JSON.stringify({ id, name, tmux_name, cwd, state, created_at, updated_at, agent }));
    expect(await store.get(id)).toMatchObject({ kind: "session", record: { ...record, rev: 0 } });
    expect((await change({ task: "t" })).rev).toBe(1);
  });
});
