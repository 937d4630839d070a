import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProjectSetup } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { diskFailure } from "../src/files/disk-failure.js";
import { setupIn } from "../src/index.js";
import { lastLinesOf, runLine } from "../src/setup/run-line.js";
import { ENV, openFixture, openMade, SESSION } from "./workspace-fixture.js";

const env = { PATH: process.env.PATH ?? "" };

async function prepared(setup: Partial<ProjectSetup>, kind: "worktree" | "clone" = "worktree") {
  const { fixture, workspace } = await openMade(kind);
  const steps: string[] = [];
  const run = () =>
    fixture.spaces.setUp(workspace, {
      setup: ProjectSetup.parse(setup),
      env,
      onStep: async (doing) => void steps.push(doing),
    });
  // Both have the same ignored files.
  execFileSync("git", ["-C", workspace.path, "config", "core.excludesFile", join(fixture.below, "ignored")], { env: ENV });
  writeFileSync(join(fixture.below, "ignored"), ".env\nconf/local\n/deps\n/out\n");
  return { fixture, workspace, steps, run };
}

describe("project file", () => {
  test("has the setup and the digest of its content", async () => {
    using fixture = openFixture();
    expect(await setupIn(fixture.below)).toEqual({ kind: "none" });
    const path = join(fixture.below, ".tmpm.yaml");
    writeFileSync(path, "other: 1\n");
    expect(await setupIn(fixture.below)).toEqual({ kind: "none" });
    writeFileSync(path, "setup:\n  copy: [.env]\n  run:\n    - npm ci\n");
    const found = await setupIn(fixture.below);
    expect(found).toMatchObject({ kind: "found", path, setup: { copy: [".env"], link: [], run: ["npm ci"], timeout: 600 } });
    writeFileSync(path, "setup:\n  copy: [.env]\n  run:\n    - npm  ci\n");
    expect(await setupIn(fixture.below)).not.toMatchObject({ sha256: found.kind === "found" ? found.sha256 : "" });
  });

  test.each([
    ["setup: {run: [1]}", "setup.run.0"],
    ["setup: {rum: [a]}", "rum"],
    ["setup: {copy: [../x]}", "setup.copy.0"],
    ["setup: {copy: [/etc/passwd]}", "setup.copy.0"],
    ["setup: {link: [a/.GIT/hooks]}", "setup.link.0"],
    ["setup: {copy: ['']}", "setup.copy.0"],
    ["a: &a [x]\nsetup: {run: *a}", "aliases"],
    ["setup: [", "Flow sequence"],
    [`x: ${"[".repeat(20_000)}`, "nested"],
    [`x:\n  ${"- ".repeat(20_000)}`, "nested"],
    [`x: [${"a,".repeat(20_000)}]`, "too large"],
    ["#".repeat(70_000), "larger"],
  ])("that is invalid is reported as unreadable: %.30s", async (text, reason) => {
    using fixture = openFixture();
    writeFileSync(join(fixture.below, ".tmpm.yaml"), text);
    expect(await setupIn(fixture.below)).toMatchObject({ kind: "unreadable", reason: expect.stringContaining(reason) });
  });

  test("is read neither through a link nor from a pipe", async () => {
    using fixture = openFixture();
    const path = join(fixture.below, ".tmpm.yaml");
    symlinkSync("/etc/hostname", path);
    expect(await setupIn(fixture.below)).toMatchObject({ kind: "unreadable", reason: "it is a symbolic link" });
    execFileSync("mkfifo", [join(fixture.home, ".tmpm.yaml")]);
    expect(await setupIn(fixture.home)).toMatchObject({ kind: "unreadable", reason: "it is not a file" });
  });
});

describe("setting up", () => {
  test("places ignored files, runs the commands in order, and keeps their output beside the marker", async () => {
    const { fixture, workspace, steps, run } = await prepared({
      copy: [".env", "conf/local", "not-there"],
      link: ["deps"],
      run: ["cat .env && pwd", 'echo "$TMPM_SOURCE" > out'],
    });
    using _ = fixture;
    writeFileSync(join(workspace.source, ".env"), "KEY=1\n");
    for (const folder of ["conf/local", "deps"]) mkdirSync(join(workspace.source, folder), { recursive: true });
    writeFileSync(join(workspace.source, "conf/local/a"), "a");
    expect(await run()).toEqual({ kind: "done", missing: ["not-there"] });
    expect(steps).toEqual(["copying files", "cat .env && pwd", 'echo "$TMPM_SOURCE" > out']);
    expect(readFileSync(join(workspace.path, "conf/local/a"), "utf8")).toBe("a");
    expect(readlinkSync(join(workspace.path, "deps"))).toBe(join(workspace.source, "deps"));
    expect(readFileSync(join(workspace.path, "out"), "utf8")).toBe(`${workspace.source}\n`);
    const log = readFileSync(join(workspace.identity?.git_dir ?? "", "tmpm-setup.log"), "utf8");
    expect(log).toContain(`KEY=1\n${workspace.path}\n`);
    expect(lstatSync(join(workspace.identity?.git_dir ?? "", "tmpm-setup.log")).mode & 0o777).toBe(0o600);
    expect(await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ reasons: [] });
  });

  test("rejects files that are tracked, exist already or lie behind a link, and then runs nothing", async () => {
    const { fixture, workspace } = await prepared({});
    using _ = fixture;
    const attempt = (setup: Partial<ProjectSetup>) =>
      fixture.spaces.setUp(workspace, { setup: ProjectSetup.parse({ ...setup, run: ["touch out"] }), env, onStep: async () => undefined });
    writeFileSync(join(workspace.source, "plain"), "x");
    expect(await attempt({ copy: ["plain"] })).toMatchObject({ kind: "failed", reason: "copy plain: git does not ignore it there" });
    writeFileSync(join(workspace.path, ".env"), "mine");
    writeFileSync(join(workspace.source, ".env"), "theirs");
    expect(await attempt({ copy: [".env"] })).toMatchObject({ reason: "copy .env: it already exists there" });
    expect(readFileSync(join(workspace.path, ".env"), "utf8")).toBe("mine");
    symlinkSync("/etc", join(workspace.source, "deps"));
    expect(await attempt({ copy: ["deps"] })).toMatchObject({ reason: "copy deps: a symbolic link is in its path" });
    mkdirSync(join(workspace.source, "conf/local"), { recursive: true });
    symlinkSync(fixture.below, join(workspace.path, "conf"));
    expect(await attempt({ copy: ["conf/local"] })).toMatchObject({ kind: "failed" });
    expect(existsSync(join(fixture.below, "local"))).toBe(false);
    expect(existsSync(join(workspace.path, "out"))).toBe(false);
  });

  test("stops at the failing command, and reports its last output", async () => {
    const { fixture, workspace, steps, run } = await prepared({
      run: ["true", "{ seq 100; printf '\\033[31mred\\033[0m\\n'; } >&2; exit 3", "touch out"],
    });
    using _ = fixture;
    const result = await run();
    expect(result).toMatchObject({ kind: "failed", doing: steps[1], reason: "ended with status 3" });
    expect(result.kind === "failed" ? result.lastLines : []).toHaveLength(40);
    expect(result.kind === "failed" ? result.lastLines.slice(-2) : []).toEqual(["100", "red"]);
    expect(steps).toHaveLength(2);
    expect(existsSync(join(workspace.path, "out"))).toBe(false);
  });
});

describe("a log that cannot be written", () => {
  test.each(["tmpm-setup.log", "tmpm-teardown.log"])("is reported after the commands: %s", async (name) => {
    const { fixture, workspace } = await prepared({});
    using _ = fixture;
    mkdirSync(join(workspace.identity?.git_dir ?? "", name));
    const setup = ProjectSetup.parse({ run: ["touch out"], teardown: ["touch out"] });
    const options = { setup, env, onStep: async () => undefined };
    const run = name === "tmpm-setup.log" ? fixture.spaces.setUp : fixture.spaces.tearDown;
    await expect(run(workspace, options)).rejects.toMatchObject({ code: "UNSAFE_PATH", effect: "unknown" });
    expect(existsSync(join(workspace.path, "out"))).toBe(true);
  });

  test("hides neither a failed command nor an error", async () => {
    const { fixture, workspace, run } = await prepared({ run: ["exit 3"] });
    using _ = fixture;
    mkdirSync(join(workspace.identity?.git_dir ?? "", "tmpm-setup.log"));
    expect(await run()).toMatchObject({ kind: "failed", doing: "exit 3", reason: "ended with status 3" });
    const error = new Error("the second step is refused");
    const setup = ProjectSetup.parse({ run: ["true", "false"] });
    const onStep = (step: string) => (step === "false" ? Promise.reject(error) : Promise.resolve());
    await expect(fixture.spaces.setUp(workspace, { setup, env, onStep })).rejects.toBe(error);
  });

  test.each([
    ["ENOSPC", "STORAGE_FULL"],
    ["EDQUOT", "STORAGE_FULL"],
    ["EROFS", "STORE_READ_ONLY"],
    ["EACCES", "STORE_READ_ONLY"],
    ["EISDIR", "UNSAFE_PATH"],
  ])("has the error of its disk: %s is %s", (code, expected) => {
    const cause = Object.assign(new Error(code), { code });
    expect(diskFailure(cause, { path: "/w/log" })).toMatchObject({ code: expected, cause, details: { path: "/w/log" } });
  });
});

describe("setup command", () => {
  const options = { directory: "/", env, timeoutMs: 60_000 };

  test("is ended with all its processes at the timeout, even if another process holds its output", async () => {
    const { failure, output } = await runLine("echo $$; (trap '' TERM; sleep 300) & setsid sleep 5 & sleep 300", {
      ...options,
      timeoutMs: 3_000,
    });
    expect(failure).toMatch(/^was ended after/);
    await expect.poll(() => alive(Number(output))).toBe(false);
  });

  test("leaves no background processes, and reports its signal", async () => {
    const { failure, output } = await runLine("sleep 300 & echo $$; kill -9 $$", options);
    expect(failure).toBe("was ended by SIGKILL");
    await expect.poll(() => alive(Number(output))).toBe(false);
  });

  test("may print without limit: the end is kept", async () => {
    expect((await runLine(`: ${"x".repeat(200_000)}`, options)).failure).toBe("could not be started: spawn E2BIG");
    const { failure, output } = await runLine("yes x | head -c 3000000; echo end", options);
    expect(failure).toBeNull();
    expect(output.length).toBeLessThanOrEqual(64 * 1024);
    expect(lastLinesOf(output, 1)).toEqual(["end"]);
  });

  function alive(group: number): boolean {
    try {
      process.kill(-group, 0);
      return true;
    } catch {
      return false;
    }
  }
});
