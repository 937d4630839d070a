import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { isLosslessNumber } from "lossless-json";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ForeignFiles, type ForeignProgram, readForeign } from "../src/foreign/index.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";

let folder: ScratchFolder;
beforeEach(() => {
  folder = scratchFolder();
});
afterEach(() => folder.remove());

function write(file: string, text: string): string {
  const path = join(folder.path, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

async function read<P extends ForeignProgram>(from: P, path = folder.path): Promise<Extract<ForeignFiles, { from: P }>> {
  return (await readForeign({ from, path })) as Extract<ForeignFiles, { from: P }>;
}

async function yaml(text: string) {
  write("sessions/p/a.yaml", text);
  return (await read("ao-rs")).sessions[0];
}

function envelope(payload: string, checksum = crc32(payload)): string {
  return JSON.stringify({ checksum_crc32: checksum, payload });
}

describe("trusty-mpm", () => {
  test("reads the document from the file or its folder, every integer exact", async () => {
    const path = write("sessions.json", '{"sessions": {"a": {"big": 9007199254740993, "float": 0.25, "text": "[ 9007199254740993"}}}');
    for (const given of [path, folder.path]) {
      const { sessions } = await read("trusty-mpm", given);
      expect(sessions).toMatchObject({
        source: path,
        readable: true,
        document: { sessions: { a: { float: 0.25, text: "[ 9007199254740993" } } },
      });
      const { big } = sessions.readable ? Object(sessions.document).sessions.a : {};
      expect([isLosslessNumber(big), String(big)]).toEqual([true, "9007199254740993"]);
    }
  });

  test.each([
    ["no JSON", "{", /not JSON/],
    ["nothing", "", /not JSON/],
    ["no text", "\xff\xfe", /not UTF-8/],
    ["nested without end", "[".repeat(100_000) + "]".repeat(100_000), /nested deeper|not JSON/],
  ])("rejects a file with %s and names it", async (_title, text, reason) => {
    const path = write("sessions.json", "");
    writeFileSync(path, text, "latin1");
    await expect(read("trusty-mpm")).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(reason),
      details: { path },
    });
  });

  test("rejects a missing path, a symbolic link, a FIFO, a folder as file and a relative path", async () => {
    await expect(read("trusty-mpm", join(folder.path, "none"))).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    await expect(read("trusty-mpm", "sessions.json")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(read("trusty-mpm")).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("does not exist"),
    });
    symlinkSync(write("real.json", "{}"), join(folder.path, "sessions.json"));
    for (const given of [folder.path, join(folder.path, "sessions.json")])
      await expect(read("trusty-mpm", given)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining("symbolic link"),
      });
    execFileSync("mkfifo", [join(folder.path, "fifo")]);
    await expect(read("trusty-mpm", join(folder.path, "fifo"))).rejects.toMatchObject({
      message: expect.stringContaining("not a regular file"),
    });
    mkdirSync(join(folder.path, "x", "sessions.json"), { recursive: true });
    await expect(read("trusty-mpm", join(folder.path, "x"))).rejects.toMatchObject({
      message: expect.stringContaining("not a regular file"),
    });
  });
});

describe("ao-rs", () => {
  test("reads every yaml file of every project, active and archived, in the order of names", async () => {
    for (const file of ["q/b.yaml", "p/b.yaml", "p/a.yaml", "p/.archive/c.yaml", ".archive/d.yaml"])
      write(`sessions/${file}`, `id: ${file}`);
    for (const file of ["p/a.yaml.tmp", "p/a.yml", "p/.yaml", "x.yaml"]) write(`sessions/${file}`, "id: no");
    mkdirSync(join(folder.path, "sessions/p/folder.yaml"));
    const { sessions, unreadable } = await read("ao-rs");
    expect(sessions.map(({ project_id, id, archived }) => [project_id, id, archived])).toEqual([
      [".archive", "d", false],
      ["p", "a", false],
      ["p", "b", false],
      ["p", "c", true],
      ["q", "b", false],
    ]);
    expect(sessions[3]).toEqual({
      source: join(folder.path, "sessions/p/.archive/c.yaml"),
      ...{ project_id: "p", id: "c", archived: true, readable: true, document: { id: "p/.archive/c.yaml" } },
    });
    expect(unreadable).toEqual([]);
  });

  test("keeps integers exact and texts as texts, and returns plain data (ao case 20)", async () => {
    const text =
      "uuid: 550e8400\nbig: 18446744073709551615\nsmall: 7\nprice: 0.25\nquoted: '12'\nyes: yes\nday: 2026-01-01\nnone: null\nbin: !!binary aGk=\nlist: [1, {a: 2}]\n";
    expect(await yaml(text)).toMatchObject({
      document: {
        ...{ uuid: "550e8400", big: 18446744073709551615n, small: 7, price: 0.25, quoted: "12", yes: "yes", day: "2026-01-01", none: null },
        ...{ bin: "aGk=", list: [1, { a: 2 }] },
      },
    });
  });

  test.each([
    ["an alias", "a: &a [1]\nb: *a", /aliases/],
    ["an alias bomb", `a: &a [x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: [*a, *a, *a]`).join("\n")}`, /aliases/],
    ["a merged alias", "a: &a {x: 1}\nb:\n  <<: *a", /aliases/],
    ["deep brackets", "[".repeat(200_000), /nested deeper/],
    ["deep braces", "{a: ".repeat(50_000), /nested deeper/],
    ["deep dashes", "- ".repeat(100_000), /nested deeper/],
    ["deep lines", Array.from({ length: 300 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"), /nested deeper/],
    ["very many keys", Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join("\n"), /more than 10000 tokens/],
    ["a key twice", "a: 1\na: 2", /unique/],
    ["two documents", "a: 1\n---\na: 2", /multiple documents/],
    ["no YAML", "a: [1", /not YAML/],
    ["infinity", "a: .inf", /not a number/],
    ["too many bytes", `a: "${"x".repeat(300 * 1024)}"`, /larger than/],
  ])("reports a file with %s as unreadable, in bounded time and with a reason", async (_title, text, reason) => {
    const begun = process.cpuUsage();
    expect(await yaml(text)).toMatchObject({ readable: false, reason: expect.stringMatching(reason) });
    const { user, system } = process.cpuUsage(begun);
    expect(user + system).toBeLessThan(5_000_000);
  });

  test("reports links, FIFOs and unreadable folders, and still reads the others (ao cases 13, 23)", async () => {
    const outside = write("outside/x.yaml", "id: x");
    write("sessions/p/a.yaml", "id: a");
    write("sessions/p/broken.yaml", "id: [");
    symlinkSync(outside, join(folder.path, "sessions/p/link.yaml"));
    symlinkSync(dirname(outside), join(folder.path, "sessions/linked"));
    execFileSync("mkfifo", [join(folder.path, "sessions/p/fifo.yaml")]);
    const locked = dirname(write("sessions/locked/z.yaml", "id: z"));
    chmodSync(locked, 0o000);
    try {
      const { sessions, unreadable } = await read("ao-rs");
      const found = Object.fromEntries(sessions.map((session) => [session.id, session.readable ? "read" : session.reason]));
      expect(found).toMatchObject({
        a: "read",
        broken: expect.stringContaining("not YAML"),
        link: "a symbolic link",
        fifo: "not a regular file",
      });
      const reasons = unreadable.map((each) => (each.readable ? "" : each.reason));
      // Permissions do not apply to root.
      expect(reasons).toEqual(process.getuid?.() === 0 ? ["a symbolic link"] : ["a symbolic link", "cannot be read (EACCES)"]);
    } finally {
      chmodSync(locked, 0o700);
    }
  });

  test("rejects a file, and a folder that is not a data folder", async () => {
    await expect(read("ao-rs")).rejects.toMatchObject({ code: "INVALID_ARGUMENT", hint: expect.stringContaining("data folder") });
    await expect(read("ao-rs", write("f", ""))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("not a folder"),
    });
    symlinkSync(folder.path, join(folder.path, "sessions"));
    await expect(read("ao-rs")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("swimmers", () => {
  test("reads registry and thoughts from folder or registry, raw or in their envelope (swimmers case 54)", async () => {
    const registry = write("session_registry.json", '[{"session_id": "sess_0"}]');
    expect(await read("swimmers")).toEqual({
      from: "swimmers",
      registry: { source: registry, readable: true, document: [{ session_id: "sess_0" }] },
      thoughts: null,
    });
    write("session_registry.json", envelope('[{"session_id": "sess_ü"}]'));
    const thoughts = write("thoughts.json", envelope('{"sess_0": {}}'));
    for (const given of [folder.path, registry]) {
      expect(await read("swimmers", given)).toMatchObject({
        registry: { document: [{ session_id: "sess_ü" }] },
        thoughts: { source: thoughts, document: { sess_0: {} } },
      });
    }
  });

  test.each([
    ["a wrong checksum", envelope("[]", 1), /checksum/],
    ["no checksum", '{"payload": "[]"}', /valid envelope/],
    ["no payload", '{"checksum_crc32": 0}', /valid envelope/],
    ["a payload that is not JSON", envelope("{"), /not JSON/],
  ])("rejects a registry in an envelope with %s, and reports such thoughts (swimmers case 54)", async (_title, text, reason) => {
    write("session_registry.json", "[]");
    write("thoughts.json", text);
    expect((await read("swimmers")).thoughts).toMatchObject({ readable: false, reason: expect.stringMatching(reason) });
    write("session_registry.json", text);
    await expect(read("swimmers")).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringMatching(reason) });
  });

  test("rejects thoughts without a registry, and does not follow a link to thoughts", async () => {
    const thoughts = write("thoughts.json", "{}");
    await expect(read("swimmers", thoughts)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("no sessions"),
    });
    write("x/session_registry.json", "[]");
    symlinkSync(thoughts, join(folder.path, "x/thoughts.json"));
    expect((await read("swimmers", join(folder.path, "x"))).thoughts).toMatchObject({ readable: false, reason: "a symbolic link" });
  });
});
