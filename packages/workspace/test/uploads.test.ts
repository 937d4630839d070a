import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type UploadPlace, uploadFolder } from "../src/index.js";

let root: string;
let place: UploadPlace;
const ID = "6f1d2c3b-0000-4000-8000-000000000001";

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "tmpm-uploads-"));
  await mkdir(join(root, "work"));
  place = { sessionId: ID, directory: join(root, "work") };
});

afterEach(() => rm(root, { recursive: true, force: true }));

const uploads = () => uploadFolder();
const folder = () => join(root, "work", ".tmpm", "uploads", ID);
const digestOf = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

async function* chunks(...parts: readonly (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

function keep(parts: readonly (string | Buffer)[], more: { maxBytes?: number; extension?: string; at?: UploadPlace } = {}) {
  const { maxBytes = 1024, extension = ".txt", at = place } = more;
  return uploads().keep(at, { bytes: chunks(...parts), maxBytes, nameOf: (digest) => `${digest}${extension}` });
}

describe("upload", () => {
  test("is saved by digest, byte for byte, private to its owner, and hidden from git", async () => {
    execFileSync("git", ["init", "-q"], { cwd: join(root, "work") });
    const bytes = randomBytes(900);
    const kept = await keep([bytes.subarray(0, 300), bytes.subarray(300)]);
    expect(kept).toEqual({ digest: digestOf(bytes), size: 900, name: `${digestOf(bytes)}.txt`, deduplicated: false });
    expect(await readFile(join(folder(), kept.name))).toEqual(bytes);
    expect((await lstat(join(folder(), kept.name))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder())).toEqual([kept.name]);
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: join(root, "work"), encoding: "utf8" })).toBe("");
  });

  test("with equal bytes reuses the file, and rewrites it after it was deleted, changed or made a link (zeroclaw 49)", async () => {
    const first = await keep(["hello"]);
    const path = join(folder(), first.name);
    expect((await keep(["hel", "lo"])).deduplicated).toBe(true);
    await rm(path);
    expect((await keep(["hello"])).deduplicated).toBe(false);
    await writeFile(path, "hallo");
    expect((await keep(["hello"])).deduplicated).toBe(false);
    await rm(path);
    await writeFile(join(root, "target"), "hello");
    await symlink(join(root, "target"), path);
    expect((await keep(["hello"])).deduplicated).toBe(false);
    expect((await lstat(path)).isFile()).toBe(true);
    expect(await readFile(path, "utf8")).toBe("hello");
    expect(await readdir(folder())).toEqual([first.name]);
  });

  test("from many concurrent callers with equal bytes makes one file, new to only one of them", async () => {
    const one = uploads();
    const request = () => ({ bytes: chunks("a".repeat(500), "b".repeat(500)), maxBytes: 1024, nameOf: (digest: string) => digest });
    const kept = await Promise.all(Array.from({ length: 12 }, () => one.keep(place, request())));
    expect(kept.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1);
    expect(await readdir(folder())).toHaveLength(1);
  });

  test("of exactly the limit is saved; one byte more, or a failing source, leaves nothing", async () => {
    await keep(["x".repeat(1024)]);
    const before = await readdir(folder());
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        taken += 1;
        yield Buffer.alloc(512);
      }
    }
    const request = { maxBytes: 1024, nameOf: (digest: string) => digest };
    await expect(uploads().keep(place, { ...request, bytes: endless() })).rejects.toMatchObject({ code: "UPLOAD_TOO_LARGE" });
    expect(taken).toBe(3);
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("begun");
      throw new Error("gone");
    }
    await expect(uploads().keep(place, { ...request, bytes: failing() })).rejects.toThrow("gone");
    expect(await readdir(folder())).toEqual(before);
  });

  test("may be empty", async () => {
    expect(await keep([])).toMatchObject({ size: 0, digest: digestOf("") });
    expect((await keep([])).deduplicated).toBe(true);
  });
});

describe("hostile directory", () => {
  test.each([[".tmpm"], [".tmpm/uploads"], [`.tmpm/uploads/${ID}`]])(
    "with a link at %s is rejected, and nothing is written to its target",
    async (link) => {
      const outside = join(root, "outside");
      await mkdir(outside);
      const path = join(root, "work", link);
      await mkdir(join(path, ".."), { recursive: true });
      await symlink(outside, path);
      await expect(keep(["x"])).rejects.toMatchObject({ code: "UNSAFE_PATH" });
      await uploads().remove(place);
      expect(await readdir(outside)).toEqual([]);
      expect(await uploads().holds(place, { name: "x", size: 1 })).toBe(false);
    },
  );

  test("with a pipe in the file's place does not block", async () => {
    const name = `${digestOf("x")}.txt`;
    await mkdir(folder(), { recursive: true });
    execFileSync("mkfifo", [join(folder(), name)]);
    expect(await uploads().holds(place, { name, size: 1 })).toBe(false);
    expect((await keep(["x"])).deduplicated).toBe(false);
    expect(await readFile(join(folder(), name), "utf8")).toBe("x");
  });

  test("with a folder in the file's place is rejected, and nothing of the upload is left", async () => {
    const name = `${digestOf("x")}.txt`;
    await mkdir(join(folder(), name, "more"), { recursive: true });
    await expect(keep(["x"])).rejects.toMatchObject({ code: "UNSAFE_PATH" });
    expect(await readdir(folder())).toEqual([name]);
  });

  test("that is missing is reported", async () => {
    await expect(keep(["x"], { at: { ...place, directory: join(root, "missing") } })).rejects.toMatchObject({
      code: "DIRECTORY_NOT_FOUND",
    });
  });

  test("with a hard link in the file's place does not count as the upload", async () => {
    const { name } = await keep(["x"]);
    execFileSync("ln", [join(folder(), name), join(root, "other-name")]);
    expect((await keep(["x"])).deduplicated).toBe(false);
    await writeFile(join(root, "other-name"), "y");
    expect(await readFile(join(folder(), name), "utf8")).toBe("x");
  });
});

describe("clean-up", () => {
  test("removes old leftovers of a crash with a later upload", async () => {
    await mkdir(folder(), { recursive: true });
    await writeFile(join(folder(), ".tmp-1-old"), "");
    await writeFile(join(folder(), ".tmp-1-new"), "");
    await utimes(join(folder(), ".tmp-1-old"), 1, 1);
    const { name } = await keep(["x"]);
    expect((await readdir(folder())).sort()).toEqual([".tmp-1-new", name].sort());
  });

  test("removes a session's folder, and tmpm's folder with the last session, but nothing else", async () => {
    const other = { ...place, sessionId: ID.replace("0001", "0002") };
    await keep(["x"]);
    await keep(["x"], { at: other });
    await writeFile(join(root, "work", "mine.txt"), "mine");
    await uploads().remove(place);
    expect(await readdir(join(root, "work", ".tmpm", "uploads"))).toEqual([".gitignore", other.sessionId]);
    await writeFile(join(root, "work", ".tmpm", "mine"), "mine");
    await uploads().remove(other);
    expect(await readdir(join(root, "work", ".tmpm"))).toEqual(["mine"]);
    await rm(join(root, "work", ".tmpm", "mine"));
    await uploads().remove(other);
    await uploads().remove(other);
    expect(await readdir(join(root, "work"))).toEqual(["mine.txt"]);
  });

  test("removes only the given upload", async () => {
    const one = await keep(["1"]);
    const two = await keep(["2"]);
    await uploads().discard(place, one.name);
    await uploads().discard(place, one.name);
    expect(await readdir(folder())).toEqual([two.name]);
    expect(await uploads().holds(place, { name: two.name, size: 1 })).toBe(true);
    expect(await uploads().holds(place, { name: two.name, size: 2 })).toBe(false);
  });
});
