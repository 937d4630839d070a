import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requireGit } from "../src/git/require-git.js";
import { git, gitVersion } from "../src/index.js";
import { openFolder, openRepository } from "./repository.js";

const env = { PATH: process.env.PATH, HOME: "/nonexistent" };

describe("running git", () => {
  test("returns the exact output and exit code, also on failure", async () => {
    using repository = openRepository();
    repository.git("commit", "--quiet", "--allow-empty", "-m", "first\n\nlast");
    const log = await git(["log", "--format=%B%x00"], { directory: repository.path, env });
    expect(log).toMatchObject({ kind: "exited", exitCode: 0, stdout: "first\n\nlast\n\0\n" });
    expect(await git(["no-such-command"], { directory: repository.path, env })).toMatchObject({ kind: "exited", exitCode: 1 });
    expect(await git(["status"], { directory: "/nonexistent", env })).toMatchObject({ kind: "exited", exitCode: 128 });
  });

  test("passes every argument unchanged, without a shell", async () => {
    using folder = openFolder();
    const arg = `$(touch ${join(folder.path, "canary")}); \`id\` "x" 'y' *`;
    expect(await git(["rev-parse", "--sq-quote", arg], { env })).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(folder.path, "canary"))).toBe(false);
  });

  test("never prompts, and ignores git variables in our environment", async () => {
    using bin = openFolder();
    bin.script("git", "env; cat");
    const result = await git(["anything"], {
      env: { PATH: `${bin.path}:/usr/bin:/bin`, GIT_DIR: "/elsewhere", GIT_SSH: "/evil", KEPT: "yes" },
    });
    if (result.kind !== "exited") expect.unreachable();
    const names = result.stdout.split("\n");
    expect(names).toEqual(expect.arrayContaining(["GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=false", "KEPT=yes", "LC_ALL=C"]));
    expect(names.filter((name) => /^GIT_(DIR|SSH)=/.test(name))).toEqual([]);
  });

  test("never verifies signatures while it lists commits, which would run a configured program and print its output", async () => {
    using repository = openRepository();
    const canary = join(repository.path, "canary");
    repository.git("config", "gpg.program", repository.script("gpg", `touch ${canary}\necho 'gpg: Good signature' >&2\nexit 1`));
    repository.git("config", "log.showSignature", "true");
    const signature = "-----BEGIN PGP SIGNATURE-----\n \n abcd\n -----END PGP SIGNATURE-----";
    const person = "Demo <demo@example.com> 1700000000 +0000";
    const tree = repository.git("write-tree").trim();
    const file = join(repository.path, "commit");
    writeFileSync(file, `tree ${tree}\nauthor ${person}\ncommitter ${person}\ngpgsig ${signature}\n\nfirst\n`);
    const commit = repository.git("hash-object", "-t", "commit", "-w", file).trim();
    for (const args of [
      ["log", "--format=%H", commit],
      ["show", "--no-patch", "--format=%H", commit],
    ])
      expect(await git(args, { directory: repository.path, env })).toMatchObject({ exitCode: 0, stdout: `${commit}\n`, stderr: "" });
    expect(existsSync(canary)).toBe(false);
  });

  test("ends git and its children at the timeout", async () => {
    using bin = openFolder();
    const pidFile = join(bin.path, "pid");
    bin.script("git", `trap '' TERM HUP\nsleep 300 & echo $! >${pidFile}; wait`);
    const result = await git(["status"], { env: { PATH: `${bin.path}:/usr/bin:/bin` }, timeoutMs: 3_000 });
    expect(result).toMatchObject({ kind: "unavailable", cause: "timeout" });
    await expect.poll(() => isRunning(Number(readFileSync(pidFile, "utf8")))).toBe(false);
  });

  describe("that is killed because it does not end on request", () => {
    /** A filter that stops the git that runs it, which then heeds no signal but one. */
    function stopping(repository: ReturnType<typeof openRepository>): string {
      const started = join(repository.path, ".git", "started");
      const filter = repository.script("filter", `kill -STOP $PPID\ntouch ${started}\nsleep 300`);
      repository.git("config", "filter.odd.process", filter);
      repository.git("config", "filter.odd.required", "true");
      writeFileSync(join(repository.path, ".gitattributes"), "*.txt filter=odd\n");
      writeFileSync(join(repository.path, "a.txt"), "a\n");
      return started;
    }

    test("leaves no lock file of the index", async () => {
      using repository = openRepository();
      const started = stopping(repository);
      const lock = join(repository.path, ".git", "index.lock");
      const added = git(["add", "--all"], { directory: repository.path, env, timeoutMs: 10_000 });
      await expect.poll(() => existsSync(started) && existsSync(lock)).toBe(true);
      expect(await added).toMatchObject({ kind: "unavailable", cause: "timeout", locks: [] });
      expect(existsSync(lock)).toBe(false);
    });

    test("leaves a lock file that another git may have made meanwhile", async () => {
      using repository = openRepository();
      const started = stopping(repository);
      const lock = join(repository.path, ".git", "index.lock");
      const added = git(["add", "--all"], { directory: repository.path, env, timeoutMs: 10_000 });
      await expect.poll(() => existsSync(started) && existsSync(lock)).toBe(true);
      rmSync(lock);
      writeFileSync(lock, "theirs");
      expect(await added).toMatchObject({ kind: "unavailable", cause: "timeout" });
      expect(readFileSync(lock, "utf8")).toBe("theirs");
    });
  });

  test("that fails because of a lock file names the file and the fix", async () => {
    using repository = openRepository();
    const lock = join(repository.path, ".git", "index.lock");
    writeFileSync(lock, "");
    writeFileSync(join(repository.path, "a.txt"), "a\n");
    await expect(requireGit(["add", "--all"], { directory: repository.path, env })).rejects.toMatchObject({
      code: "GIT_FAILED",
      hint: expect.stringContaining(lock),
    });
  });

  test("distinguishes a missing git from a killed one", async () => {
    using bin = openFolder();
    expect(await git(["status"], { env: { PATH: bin.path } })).toMatchObject({ kind: "unavailable", cause: "not_installed" });
    bin.script("git", "kill -9 $$");
    expect(await git(["status"], { env: { PATH: bin.path } })).toMatchObject({ kind: "unavailable", cause: "failed" });
  });
});

describe("git version", () => {
  test("is read from the installed git", async () => {
    using folder = openFolder();
    const version = folder.git("--version").trim().split(" ")[2];
    expect(await gitVersion({ env })).toEqual({ kind: "found", version });
  });

  test("is reported as missing or unknown otherwise", async () => {
    using bin = openFolder();
    expect(await gitVersion({ env: { PATH: bin.path } })).toEqual({ kind: "not_installed" });
    bin.script("git", "echo hello");
    expect(await gitVersion({ env: { PATH: `${bin.path}:/bin` } })).toMatchObject({ kind: "unknown" });
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A killed process still exists until its parent has collected it.
    return !/^\S+ \(.*\) Z/.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "");
  } catch {
    return false;
  }
}
