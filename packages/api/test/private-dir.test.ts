import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkPrivateDir, currentUid, makePrivateDir } from "../src/local/index.js";
import { temporaryDir } from "./temporary-dir.js";

const uid = currentUid();
const unsafe = expect.objectContaining({ code: "UNSAFE_PATH" });

describe("a private folder", () => {
  test("is created with mode 0700, including its parents, with any umask", () => {
    using dir = temporaryDir();
    const path = join(dir.path, "a", "b");
    const before = process.umask(0);
    try {
      makePrivateDir(path, uid);
    } finally {
      process.umask(before);
    }
    expect(lstatSync(path).mode & 0o777).toBe(0o700);
    expect(lstatSync(join(dir.path, "a")).mode & 0o777).toBe(0o700);
    makePrivateDir(path, uid);
    expect(checkPrivateDir(path, uid)).toBe(true);
  });

  test("is reported as missing without an error", () => {
    using dir = temporaryDir();
    expect(checkPrivateDir(join(dir.path, "missing"), uid)).toBe(false);
    writeFileSync(join(dir.path, "file"), "");
    expect(checkPrivateDir(join(dir.path, "file", "below"), uid)).toBe(false);
  });

  test.each([0o701, 0o710, 0o750, 0o755, 0o770, 0o777])("with mode %i is refused, and its mode is not changed", (mode) => {
    using dir = temporaryDir();
    const path = join(dir.path, "open");
    mkdirSync(path);
    chmodSync(path, mode);
    expect(() => checkPrivateDir(path, uid)).toThrow(unsafe);
    expect(() => makePrivateDir(path, uid)).toThrow(unsafe);
    expect(lstatSync(path).mode & 0o777).toBe(mode);
  });

  test("must be a folder, not a link to one or a file", () => {
    using dir = temporaryDir();
    symlinkSync(dir.path, join(dir.path, "link"));
    symlinkSync(join(dir.path, "nowhere"), join(dir.path, "dangling"));
    writeFileSync(join(dir.path, "file"), "");
    for (const name of ["link", "dangling", "file"]) expect(() => makePrivateDir(join(dir.path, name), uid)).toThrow(unsafe);
  });

  test("of another user is refused", () => {
    using dir = temporaryDir();
    expect(() => checkPrivateDir(dir.path, uid + 1)).toThrow(/belongs to user/);
  });

  test("cannot be created below a file", () => {
    using dir = temporaryDir();
    writeFileSync(join(dir.path, "file"), "");
    expect(() => makePrivateDir(join(dir.path, "file", "below"), uid)).toThrow(unsafe);
  });
});
