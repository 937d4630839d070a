import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionAnswer } from "@tmpm/api";
import { client } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, type Fixture, fixture, isAlive } from "./fixture.js";

/** Mounting requires privileges that not every test machine has. */
function mount(...argv: readonly string[]): boolean {
  try {
    execFileSync("mount", argv, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.each([
  ["tmux", []],
  ["PTYs", ["--host", "pty"]],
] as const)("in a home that became read-only, with sessions in %s", (_host, hosted) => {
  let w: Fixture;
  let canMount = false;

  beforeAll(async () => {
    w = await fixture();
    mkdirSync(w.home, { mode: 0o700 });
    canMount = mount("--bind", w.home, w.home);
    if (canMount) execFileSync("umount", ["-l", w.home]);
  });

  afterAll(async () => {
    // Still mounted if the test was aborted.
    if (canMount) spawnSync("umount", ["-l", w.home], { stdio: "ignore" });
    await w[Symbol.asyncDispose]();
  }, 120_000);

  test("lists, shows and stops sessions, also after the daemon was killed, and stopped sessions stay stopped", {
    timeout: 240_000,
  }, async ({ skip }) => {
    skip(!canMount, "a file system cannot be mounted here");
    const elsewhere = join(dirname(w.home), "elsewhere", "tmpm.sock");
    mkdirSync(dirname(elsewhere), { mode: 0o700 });
    const env = { TMPM_SOCKET: elsewhere, TMPDIR: dirname(w.home) };
    const works = async (...argv: readonly string[]) => {
      const result = await w.tmpm(argv, { env });
      expect([argv, result]).toEqual([argv, { ...result, code: 0 }]);
      return `${result.stdout}${result.stderr}`;
    };
    const show = async (session: string) => JSON.parse(await works("show", session, "--json")) as SessionAnswer;
    const kill = async () => {
      const { pid } = await client({ transport: localTransport({ socket: elsewhere }) }).health();
      process.kill(pid, "SIGKILL");
      await eventually(async () => ((await isAlive(pid)) ? null : true));
    };
    for (const name of ["a", "b", "c"]) await works("new", "--name", name, ...hosted, "--", "cat");
    // An open file for writing keeps a mount from becoming read-only, so this is a separate mount.
    execFileSync("mount", ["--bind", w.home, w.home]);
    execFileSync("mount", ["-o", "remount,bind,ro", w.home]);

    expect(await works("ls")).toMatch(/a .*\n.*b .*\n.*c /s);
    await works("stop", "a");
    expect(await works("ls")).toContain("cannot be written to the disk yet");
    await kill();

    const refused = await w.tmpm(["ls"], { env: { TMPDIR: dirname(w.home) } });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/cannot create a socket in \S+\/run \(EROFS\).*choose another path with TMPM_SOCKET/s);

    expect(await show("a")).toMatchObject({ state: "stopped", stop_cause: "deliberate" });
    await works("stop", "b");
    const started = await w.tmpm(["new", "--name", "d", "--", "cat"], { env });
    expect(started).toMatchObject({ code: 1, stderr: expect.stringContaining(w.home) });
    expect((await w.tmpm(["doctor"], { env })).stdout).toMatch(new RegExp(`fail +home +${w.home} is not writable`));
    expect(await works("capture", "c")).toBe("");
    await kill();

    execFileSync("umount", ["-l", w.home]);
    for (const name of ["a", "b"]) expect(await show(name)).toMatchObject({ state: "stopped", stop_cause: "deliberate" });
    await works("set", "a", "--task", "later");
    expect(await show("a")).toMatchObject({ state: "stopped", task: "later" });
    await works("stop", "c");
    await works("daemon", "stop");
  });
});
