import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findProgram, reaches } from "../../src/system/programs.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

describe("a program", () => {
  test("is the first executable file of that name on the path", () => {
    using dir = temporaryDir();
    const folders = ["a", "b", "c", "d"].map((name) => join(dir.path, name));
    for (const folder of folders) mkdirSync(folder);
    const [a = "", b = "", c = "", d = ""] = folders;
    mkdirSync(join(a, "tmux"));
    writeFileSync(join(b, "tmux"), "");
    for (const folder of [c, d]) {
      writeFileSync(join(folder, "tmux"), "");
      chmodSync(join(folder, "tmux"), 0o755);
    }
    expect(findProgram("tmux", { PATH: `${dir.path}/missing:${folders.join(":")}` })).toBe(join(c, "tmux"));
    expect(findProgram("tmux", { PATH: `${a}:${b}` })).toBeNull();
  });

  test("is searched in the system's folders without a path", () => {
    expect(findProgram("sh", {})).toMatch(/\/bin\/sh$/);
  });

  test.each([
    ["tmux 3.3a", "3.2", true],
    ["tmux 3.2", "3.2", true],
    ["tmux 3.1c", "3.2", false],
    ["tmux 3.2", "3.2a", false],
    ["tmux 3.2a", "3.2a", true],
    ["tmux next-3.3", "3.2a", true],
    ["tmux next-3.6", "3.2", true],
    ["tmux 2.9", "3.2", false],
    ["tmux 10.0", "3.2", true],
    ["tmux master", "3.2", null],
    ["git version 2.39.5 (Apple Git-154)", "2.20", true],
    ["git version 2.9.1", "2.20", false],
    ["20.18.3", "20.19", false],
    ["22.0.0", "20.19", true],
  ])("%s against %s: %s", (text, minimum, answer) => {
    expect(reaches(text, minimum)).toBe(answer);
  });
});
