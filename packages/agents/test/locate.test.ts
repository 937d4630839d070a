import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { locate } from "../src/launch/locate.js";
import { openFolder } from "./executable.js";

describe("locating a program", () => {
  test("takes the first executable of that name on PATH", async () => {
    using first = openFolder();
    using second = openFolder();
    writeFileSync(join(first.path, "demo"), "not executable");
    const path = second.script("demo", "exit 0");
    expect(await locate("demo", { env: { PATH: `/nonexistent:${first.path}:${second.path}` } })).toBe(path);
  });

  test("skips a folder or a dangling link", async () => {
    using folder = openFolder();
    mkdirSync(join(folder.path, "demo"));
    symlinkSync("/nonexistent", join(folder.path, "other"));
    expect(await locate("demo", { env: { PATH: folder.path } })).toBeNull();
    expect(await locate("other", { env: { PATH: folder.path } })).toBeNull();
  });

  test("finds an absolute path without PATH, and a relative one from the given directory", async () => {
    using folder = openFolder();
    const path = folder.script("demo", "exit 0");
    expect(await locate(path, { env: {} })).toBe(path);
    expect(await locate("./demo", { env: {}, cwd: folder.path })).toBe(path);
    expect(await locate("./demo", { env: {} })).toBeNull();
  });

  test("ignores empty and relative entries of PATH, which mean the current directory", async () => {
    using folder = openFolder();
    folder.script("demo", "exit 0");
    for (const PATH of ["", ":", ".", relative(process.cwd(), folder.path), undefined]) {
      expect(await locate("demo", { env: { PATH }, cwd: folder.path })).toBeNull();
    }
  });

  test("finds nothing for an invalid name", async () => {
    for (const name of ["", "\0", "a\0b", "/"]) expect(await locate(name, { env: { PATH: "/bin" } })).toBeNull();
  });
});
