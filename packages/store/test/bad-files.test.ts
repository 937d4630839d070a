import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampleRecord } from "../src/contract/sample-record.js";
import { directoryStore } from "../src/sessions/directory-store.js";
import type { Entry, SessionStore } from "../src/store.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const seed = Number(process.env.TMPM_TEST_SEED ?? "1");
const good = sampleRecord(2);
const bad = sampleRecord(1);
const text = JSON.stringify({ ...bad, rev: 1 });
let folder: ScratchFolder;
let path: string;
let store: SessionStore;

beforeEach(async () => {
  folder = scratchFolder();
  path = join(folder.path, "default", `${bad.id}.json`);
  store = directoryStore({ base: folder.path });
  await store.create(good);
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

/** The bad file is listed as damaged, the good one beside it works, and every write of the bad one is rejected, without delay. */
async function expectDamaged(reason = /./): Promise<void> {
  const start = process.cpuUsage();
  const entries = await store.list();
  expect(entries.find(isGood)).toMatchObject({ kind: "session" });
  expect(entries.filter((entry) => !isGood(entry))).toEqual([
    { kind: "damaged", id: bad.id, project_id: "default", path, reason: expect.stringMatching(reason) },
  ]);
  expect(await store.get(bad.id)).toMatchObject({ kind: "damaged" });
  const writes = [store.update(bad.id, (current) => ({ ...current, task: "t" })), store.archive(bad.id), store.delete(bad.id)];
  for (const write of writes) await expect(write).rejects.toMatchObject({ code: "RECORD_DAMAGED", effect: "none" });
  await expect(store.create(bad)).rejects.toMatchObject({ code: "NAME_TAKEN" });
  await store.update(good.id, (current) => ({ ...current, task: String(performance.now()) }));
  expect(store.health()).toEqual({ state: "ok" });
  const { user, system } = process.cpuUsage(start);
  expect(user + system).toBeLessThan(5_000_000);
}

const place = fc.nat({ max: text.length - 1 });

/** A fault in a file. */
const edit = fc.oneof(
  fc.tuple(place, fc.nat({ max: 255 })).map(
    ([at, byte]) =>
      (bytes: Buffer) =>
        spliced(bytes, { at, drop: 1, put: Buffer.of(byte) }),
  ),
  fc.tuple(place, place).map(
    ([at, drop]) =>
      (bytes: Buffer) =>
        spliced(bytes, { at, drop: drop % 40, put: Buffer.alloc(0) }),
  ),
  fc.tuple(place, place).map(
    ([at, from]) =>
      (bytes: Buffer) =>
        spliced(bytes, { at, drop: 0, put: bytes.subarray(from, from + 40) }),
  ),
  fc.tuple(place, place).map(
    ([at, zeros]) =>
      (bytes: Buffer) =>
        spliced(bytes, { at, drop: zeros, put: Buffer.alloc(zeros) }),
  ),
);

interface Splice {
  readonly at: number;
  readonly drop: number;
  readonly put: Buffer;
}

function spliced(bytes: Buffer, { at, drop, put }: Splice): Buffer {
  return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + drop)]);
}

function isGood(entry: Entry): boolean {
  return entry.kind === "session" && entry.record.id === good.id;
}

const CONTENTS: readonly (readonly [string, string | Buffer])[] = [
  ["nothing", ""],
  ["one byte", "{"],
  ["one NUL", "\0"],
  ["as many NULs as a lost write leaves", Buffer.alloc(4096)],
  ["NULs after the document", `${text}\0\0`],
  ["a document and the end of an older, longer one", `${text}"last_cwd": null\n}\n`],
  ["two documents", text + text],
  ["words", "{ not json ]"],
  ["a byte order mark", `\ufeff${text}`],
  [
    "bytes that are not UTF-8",
    Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from(',"x":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
  ],
  ["UTF-16", Buffer.from(text, "utf16le")],
  ["an array", `[${text}]`],
  ["null", "null"],
  ["a string", JSON.stringify(text)],
  ["an empty object", "{}"],
  ["arrays 10,000 deep", `${text.slice(0, -1)},"x":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
  ["objects 10,000 deep", `${text.slice(0, -1)},"x":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`],
  ["arrays 400,000 deep that never end", "[".repeat(400_000)],
  ["single quotes", text.replaceAll('"', "'")],
  ["a comment", `// mine\n${text}`],
  ["a trailing comma", `${text.slice(0, -1)},}`],
  ["YAML", `id: ${bad.id}\nbomb: &a [*a, *a]\n`],
  ["another id", JSON.stringify(sampleRecord(3))],
  ["another project", JSON.stringify(sampleRecord(1, { project_id: "other" }))],
  ["a number where text belongs", JSON.stringify({ ...bad, task: 7 })],
  ["a name that is a path", JSON.stringify({ ...bad, name: "../../x" })],
  ["a state that is not a word", JSON.stringify({ ...bad, state: 3 })],
  ["a revision below zero", JSON.stringify({ ...bad, rev: -1 })],
  ["a revision that is not whole", JSON.stringify({ ...bad, rev: 1.5 })],
  ["a schema version that is text", JSON.stringify({ ...bad, schema_version: "1" })],
  ["a schema version below the first", JSON.stringify({ ...bad, schema_version: 0 })],
  ["an unknown word beside real damage", JSON.stringify({ ...bad, state: "hibernating", cwd: 1 })],
  ["only a __proto__", `{"__proto__":${text}}`],
];

describe("a bad file does not hide other records, and stays unchanged", () => {
  /** Every second one, from an offset given by the seed; all of them at full scale. */
  const some = CONTENTS.filter((_, index) => scale >= 10 || (index + seed) % 2 === 0);

  test.each(some)("with %s", async (_title, content) => {
    writeFileSync(path, content);
    const before = readFileSync(path);
    await expectDamaged();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("truncated at any byte", { timeout: 60_000 * scale }, async () => {
    const step = Math.ceil(text.length / (20 * scale));
    for (let length = 0; length < text.length; length += step) {
      writeFileSync(path, text.slice(0, length));
      expect(await store.get(bad.id)).toMatchObject({ kind: "damaged" });
      expect(readFileSync(path, "utf8")).toHaveLength(length);
    }
    writeFileSync(path, text);
    expect(await store.get(bad.id)).toMatchObject({ kind: "session" });
  });

  test(`with bytes changed, dropped, repeated or moved at random: its kind is reported, and its bytes kept (seed ${seed})`, {
    timeout: 60_000 * scale,
  }, async () => {
    const kinds = new Set<string>();
    const files = fc
      .array(edit, { minLength: 1, maxLength: 3 })
      .map((edits) => edits.reduce<Buffer>((bytes, change) => change(bytes), Buffer.from(text)));
    await fc.assert(
      fc.asyncProperty(files, async (bytes) => {
        writeFileSync(path, bytes);
        const entries = await store.list();
        expect(entries).toHaveLength(2);
        const entry = entries.find((each) => !isGood(each));
        kinds.add(entry?.kind ?? "none");
        if (entry?.kind !== "session") {
          const code = { code: expect.stringMatching(/^RECORD_(DAMAGED|UNSUPPORTED)$/), effect: "none" };
          await expect(store.update(bad.id, (current) => ({ ...current, task: "t" }))).rejects.toMatchObject(code);
        }
        expect(readFileSync(path).equals(bytes)).toBe(true);
      }),
      { seed, numRuns: 25 * scale },
    );
    expect(kinds).toContain("damaged");
  });

  test("of 1 GiB, which is not read", async () => {
    writeFileSync(path, text);
    truncateSync(path, 2 ** 30);
    const before = process.memoryUsage().rss;
    await expectDamaged(/larger/);
    expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 29);
  });

  test("one byte over the limit; exactly the limit is read", async () => {
    const padded = (size: number) => `${text}${" ".repeat(size - text.length)}`;
    writeFileSync(path, padded(2 ** 20 + 1));
    await expectDamaged(/larger/);
    writeFileSync(path, padded(2 ** 20));
    expect(await store.get(bad.id)).toMatchObject({ kind: "session" });
  });

  test("that is a FIFO without a writer", async () => {
    execFileSync("mkfifo", [path]);
    await expectDamaged(/regular/);
  });

  test("that is a folder", async () => {
    mkdirSync(path);
    await expectDamaged(/regular/);
  });

  test("that is a symbolic link, dangling or to a good record", async () => {
    const elsewhere = join(folder.path, "elsewhere.json");
    symlinkSync(elsewhere, path);
    await expectDamaged(/link/);
    writeFileSync(elsewhere, text);
    await expectDamaged(/link/);
    expect(readFileSync(elsewhere, "utf8")).toBe(text);
  });

  test("that is a symbolic link to an endless device", async () => {
    symlinkSync("/dev/zero", path);
    await expectDamaged(/link/);
  });

  test("that is a socket", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    await expectDamaged(/regular/);
    await new Promise((resolve) => server.close(resolve));
  });

  test("whose name is not an id; it is listed by that name, and no path is made from it", async () => {
    writeFileSync(join(folder.path, "default", "sess_1.json"), text);
    const entry = await store.get("sess_1");
    expect(entry).toMatchObject({ kind: "damaged", id: "sess_1" });
    expect(await store.find("sess_")).toEqual([entry]);
    await expect(store.delete("sess_1")).rejects.toMatchObject({ code: "RECORD_DAMAGED" });
  });

  test("in a symbolic link to a project folder, which is listed and not followed", async () => {
    const outside = scratchFolder();
    writeFileSync(join(outside.path, `${bad.id}.json`), JSON.stringify(sampleRecord(1, { project_id: "linked" })));
    symlinkSync(outside.path, join(folder.path, "linked"));
    expect(await store.get(bad.id)).toBeNull();
    expect(await store.list({ project_id: "linked" })).toMatchObject([{ kind: "damaged", project_id: "linked" }]);
    outside.remove();
  });

  test("beside the records is ignored, as are folders", async () => {
    for (const name of ["README", ".hidden.json", `${bad.id}.json.swp`, `.${bad.id}.1.0123456789abcdef.tmp`]) {
      writeFileSync(join(folder.path, "default", name), text);
    }
    for (const name of ["not a project", ".git"]) mkdirSync(join(folder.path, name));
    writeFileSync(join(folder.path, "daemon.lock"), "");
    expect(await store.list({ archived: true })).toHaveLength(1);
  });
});
