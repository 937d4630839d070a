import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isTmuxSupported } from "./bootstrap/prerequisites.mjs";
import { fakeRepository } from "./fake-repository.mjs";

describe("before any other step", () => {
  const fresh = freshRepository();

  test("a missing tmux is reported in one line with its installation, exit code 6, and nothing is written", async () => {
    const repository = fresh();
    repository.remove("bin/tmux");
    const { code, stdout, stderr } = await repository.run(["test"]);
    expect([code, stdout]).toEqual([6, ""]);
    expect(stderr).toMatch(/^tmpm needs tmux 3\.2a or newer \(not found\)\. Install: .*install tmux.*\n$/);
    expect(existsSync(repository.path(".cache")) || existsSync(repository.path("node_modules"))).toBe(false);
  });

  test("a missing or outdated tmux does not prevent a build", async () => {
    const repository = fresh();
    repository.remove("bin/tmux");
    expect((await repository.run(["build"])).code).toBe(0);
    repository.program("bin/tmux", "echo tmux 3.2");
    expect((await repository.run(["build"])).code).toBe(0);
  });

  test("all missing or outdated programs are reported at once", async () => {
    const repository = fresh();
    repository.remove("bin/git");
    repository.program("bin/tmux", "echo tmux 2.9a");
    const { code, stderr } = await repository.run(["test"]);
    expect(code).toBe(6);
    expect(stderr).toMatch(/^tmpm needs git \(not found\) and tmux 3\.2a or newer \(found tmux 2\.9a\)\. Install: .*git tmux.*\n$/);
  });

  test("reports a tmux that cannot be run", async () => {
    const repository = fresh();
    repository.program("bin/tmux", "echo 'no such library' >&2; exit 127");
    expect((await repository.run(["test"])).stderr).toContain("tmux 3.2a or newer (cannot be run: no such library)");
  });

  test("an unknown task is a usage error", async () => {
    expect(await fresh().run(["strat"])).toMatchObject({ code: 2, stderr: expect.stringContaining("usage:") });
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

/** A new repository for each test. */
function freshRepository() {
  let repository;
  beforeEach(() => {
    repository = fakeRepository();
  });
  afterEach(() => repository.remove());
  return () => repository;
}

describe("a set-up", () => {
  const fresh = freshRepository();

  test("is done once when four processes start at the same time", async () => {
    const repository = fresh();
    const answers = await Promise.all(Array.from({ length: 4 }, () => repository.run(["build"])));
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(repository.calls()).toEqual(["install", "build begins", "build ends"]);
    expect(existsSync(repository.path(".cache", "set-up.lock"))).toBe(false);
  });

  test("works without a home, and keeps the tools' files in .cache", async () => {
    expect((await fresh().run(["build"], { env: { HOME: "" } })).code).toBe(0);
    expect(existsSync(fresh().path(".cache", "home"))).toBe(true);
  });

  test("runs the tools with the current Node, without other programs of its folder", async () => {
    const repository = fresh();
    repository.program("bin/node", "echo another Node; exit 1");
    repository.program("bin/pnpm", '#!/bin/sh\ncase "$1" in --version) echo 1.2.3 ;; *) node --version; echo "$PATH" ;; esac\n');
    const { stdout } = await repository.run(["pnpm", "exec"]);
    expect(stdout).toBe(`${process.version}\n${repository.path(".cache", "node")}:${repository.path("bin")}:${repository.path("tools")}\n`);
  });

  test("passes any arguments to the pinned pnpm", async () => {
    expect(await fresh().run(["pnpm", "why", "zod"])).toEqual({ code: 0, stdout: "why zod\n", stderr: "" });
  });
});

/** Each of these starts from a completed set-up, and leaves it complete. */
describe("a completed set-up", () => {
  const BUILD = ["build begins", "build ends"];
  let repository;
  let first;

  beforeAll(async () => {
    repository = fakeRepository();
    first = await repository.run(["build"]);
  });

  afterAll(() => repository.remove());

  async function callsOf(change) {
    const before = repository.calls().length;
    change();
    expect((await repository.run(["build"])).code).toBe(0);
    return repository.calls().slice(before);
  }

  test("is not repeated", async () => {
    expect(first).toMatchObject({ code: 0, stdout: "" });
    expect(first.stderr).toMatch(/installing dependencies \.\.\.\n.*dependencies installed.*\n.*building \.\.\.\n.*built/);
    expect(repository.calls().slice(0, 3)).toEqual(["install", ...BUILD]);
    const calls = repository.calls();
    expect(await repository.run(["build"])).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(repository.calls()).toEqual(calls);
  });

  test.each([
    ["the lockfile changed", () => repository.write("pnpm-lock.yaml", "other"), ["install", ...BUILD]],
    ["another program installed", () => repository.write("node_modules/.modules.yaml", "other"), ["install"]],
    ["node_modules is missing", () => repository.remove("node_modules"), ["install"]],
    ["a source changed", () => repository.write("packages/a/src/index.ts", "other"), BUILD],
    ["the build output changed", () => repository.write("packages/a/dist/index.js", "other"), BUILD],
    ["the build output is missing", () => repository.remove("packages/a/dist"), BUILD],
    ["only a test changed", () => repository.write("packages/a/test/a.test.ts", "other"), []],
  ])("is repeated as far as needed when %s", async (_title, change, expected) => {
    expect(await callsOf(change)).toEqual(expected);
  });

  test("shows the complete output of a failed step, and restarts at that step", async () => {
    const before = repository.calls().length;
    repository.write("pnpm-lock.yaml", "one that cannot be installed");
    repository.write("fail", "");
    const failed = await repository.run(["build"]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/first words\n[\s\S]*last words\n[\s\S]*failed with exit code 9/);
    repository.remove("fail");
    expect((await repository.run(["build"])).code).toBe(0);
    expect(repository.calls().slice(before)).toEqual(["install", "install", ...BUILD]);
  });

  test.each([
    ["was killed", JSON.stringify({ pid: process.pid, started: "another process with this number", host: hostname() })],
    ["lost its lock's content", ""],
  ])("is taken over from a process that %s", async (title, holder) => {
    const change = () => {
      repository.write("packages/a/src/index.ts", title);
      repository.write(".cache/set-up.lock", holder);
    };
    expect(await callsOf(change)).toEqual(BUILD);
    expect(existsSync(repository.path(".cache", "set-up.lock"))).toBe(false);
  });
});
