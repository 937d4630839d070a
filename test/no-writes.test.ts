import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, isAlive, type World, world } from "./world.js";

/** As a file system that went read-only on a fault: what is open stays open. Mounting needs rights that not every machine of tests gives. */
function readOnly(path: string): boolean {
  try {
    execFileSync("mount", ["--bind", path, path], { stdio: "ignore" });
    execFileSync("mount", ["-o", "remount,bind,ro", path], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("in a home that takes no writes", () => {
  let w: World;
  let isMounted = false;

  beforeAll(async () => {
    w = await world();
  });

  afterAll(async () => {
    if (isMounted) execFileSync("umount", ["-l", w.home]);
    await w.stopDaemon();
    await w.tmux("kill-server").catch(() => undefined);
    await w[Symbol.asyncDispose]();
  }, 120_000);

  test("sessions are listed, attached to and stopped, also by a daemon that starts in it", { timeout: 240_000 }, async ({ skip }) => {
    const works = async (...argv: readonly string[]) => {
      const result = await w.tmpm(argv);
      expect(result, argv.join(" ")).toMatchObject({ code: 0 });
      return result;
    };
    for (const name of ["a", "b", "c"]) await works("new", "--name", name, "--", "cat");
    isMounted = readOnly(w.home);
    skip(!isMounted, "no file system can be mounted here");

    expect((await works("ls")).stdout).toContain("b");
    const refused = await w.tmpm(["new", "--name", "d", "--", "cat"]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/read-only/);
    await works("stop", "a");

    const pid = await w.daemonPid();
    process.kill(pid, "SIGKILL");
    await eventually(async () => ((await isAlive(pid)) ? null : true));
    expect((await works("ls")).stdout).toContain("b");
    await works("stop", "b");
    expect((await w.tmpm(["doctor"])).stdout).toMatch(/read-only/);
    expect((await w.api.attach({ session: "c" })).argv.length).toBeGreaterThan(0);

    execFileSync("umount", ["-l", w.home]);
    isMounted = false;
    await eventually(async () => ((await w.api.list({})).store.state === "ok" ? true : null));
    await works("stop", "c");
  });
});
