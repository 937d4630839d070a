import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isTmuxSupported } from "./bootstrap/prerequisites.mjs";
import { fakeRepository } from "./fake-repository.mjs";

let repository;

beforeEach(() => {
  repository = fakeRepository();
});

afterEach(() => repository.remove());

describe("before anything is done", () => {
  test("a missing tmux is one line with what to install, exit 6, and nothing is written", async () => {
    repository.remove("bin/tmux");
    const { code, stdout, stderr } = await repository.run(["test"]);
    expect([code, stdout]).toEqual([6, ""]);
    expect(stderr).toMatch(/^tmpm needs tmux 3\.2a or newer \(not found\)\. Install: .*install tmux.*\n$/);
    expect(existsSync(repository.path(".cache")) || existsSync(repository.path("node_modules"))).toBe(false);
  });

  test("a missing tmux keeps nobody from building", async () => {
    repository.remove("bin/tmux");
    expect((await repository.run(["build"])).code).toBe(0);
  });

  test("a tmux that is too old keeps nobody from building", async () => {
    repository.program("bin/tmux", "echo tmux 3.2");
    expect((await repository.run(["build"])).code).toBe(0);
  });

  test("everything that is missing or too old is named at once", async () => {
    repository.remove("bin/git");
    repository.program("bin/tmux", "echo tmux 2.9a");
    const { code, stderr } = await repository.run(["test"]);
    expect(code).toBe(6);
    expect(stderr).toMatch(/^tmpm needs git \(not found\) and tmux 3\.2a or newer \(found tmux 2\.9a\)\. Install: .*git tmux.*\n$/);
  });

  test("a tmux that cannot be run is said to be so", async () => {
    repository.program("bin/tmux", "echo 'no such library' >&2; exit 127");
    expect((await repository.run(["test"])).stderr).toContain("tmux 3.2a or newer (cannot be run: no such library)");
  });

  test("a task that does not exist is a usage error", async () => {
    expect(await repository.run(["strat"])).toMatchObject({ code: 2, stderr: expect.stringContaining("usage:") });
  });
});

test.each([
  ["tmux 3.2", false],
  ["tmux 3.2a", true],
  ["tmux 3.3a", true],
  ["tmux 3.10", true],
  ["tmux 4.0", true],
  ["tmux next-3.6", true],
  ["tmux master", true],
  ["tmux openbsd-7.4", true],
  ["tmux 3.1c", false],
  ["tmux 2.9a", false],
  ["tmux next-3.1", false],
  ["screen 4.9", false],
])("%s is new enough: %s", (output, supported) => {
  expect(isTmuxSupported(output)).toBe(supported);
});

describe("a set-up", () => {
  test("installs, builds, and does nothing a second time", async () => {
    const first = await repository.run(["build"]);
    expect(first).toMatchObject({ code: 0, stdout: "" });
    expect(first.stderr).toMatch(/installing dependencies \.\.\.\n.*dependencies installed.*\n.*building \.\.\.\n.*built/);
    expect(await repository.run(["build"])).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(repository.calls()).toEqual(["install", "build begins", "build ends"]);
  });

  test.each([
    ["the lockfile changed", () => repository.write("pnpm-lock.yaml", "other"), ["install", "build begins", "build ends"]],
    ["somebody else installed", () => repository.write("node_modules/.modules.yaml", "other"), ["install"]],
    ["node_modules are gone", () => repository.remove("node_modules"), ["install"]],
    ["a source changed", () => repository.write("packages/a/src/index.ts", "other"), ["build begins", "build ends"]],
    ["what was built changed", () => repository.write("packages/a/dist/index.js", "other"), ["build begins", "build ends"]],
    ["what was built is gone", () => repository.remove("packages/a/dist"), ["build begins", "build ends"]],
    ["only a test changed", () => repository.write("packages/a/test/a.test.ts", "other"), []],
  ])("repeats what is needed when %s", async (_title, change, expected) => {
    await repository.run(["build"]);
    const before = repository.calls().length;
    change();
    expect((await repository.run(["build"])).code).toBe(0);
    expect(repository.calls().slice(before)).toEqual(expected);
  });

  test("shows the whole output of a step that fails, and starts over at that step", async () => {
    repository.write("fail", "");
    const failed = await repository.run(["build"]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/first words\n[\s\S]*last words\n[\s\S]*failed with exit code 9/);
    repository.remove("fail");
    expect((await repository.run(["build"])).code).toBe(0);
    expect(repository.calls()).toEqual(["install", "install", "build begins", "build ends"]);
  });

  test("is done once when four begin at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => repository.run(["build"])));
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(repository.calls()).toEqual(["install", "build begins", "build ends"]);
    expect(existsSync(repository.path(".cache", "set-up.lock"))).toBe(false);
  });

  test.each([
    ["was killed", JSON.stringify({ pid: process.pid, started: "another process with this number", host: hostname() })],
    ["lost its lock's content", ""],
  ])("takes over from one that %s", async (_title, holder) => {
    repository.write(".cache/set-up.lock", holder);
    expect((await repository.run(["build"])).code).toBe(0);
    expect(repository.calls()).toEqual(["install", "build begins", "build ends"]);
  });

  test("works without a home, and keeps what tools keep there in .cache", async () => {
    expect((await repository.run(["build"], { env: { HOME: "" } })).code).toBe(0);
    expect(existsSync(repository.path(".cache", "home"))).toBe(true);
  });

  test("runs the tools with the Node that runs it, and takes nothing else from that Node's folder", async () => {
    repository.program("bin/node", "echo another Node; exit 1");
    repository.program("bin/pnpm", '#!/bin/sh\ncase "$1" in --version) echo 1.2.3 ;; *) node --version; echo "$PATH" ;; esac\n');
    const { stdout } = await repository.run(["pnpm", "exec"]);
    expect(stdout).toBe(`${process.version}\n${repository.path(".cache", "node")}:${repository.path("bin")}:${repository.path("tools")}\n`);
  });

  test("hands any arguments to the pinned pnpm", async () => {
    expect(await repository.run(["pnpm", "why", "zod"])).toEqual({ code: 0, stdout: "why zod\n", stderr: "" });
  });
});
