import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, type Fixture, fixture, isAlive } from "./fixture.js";

/** Mounting requires privileges that not every test machine has. */
function mounted(path: string, options: string): boolean {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Fills the disk to the last byte. */
function fill(folder: string): void {
  for (const size of [1024 * 1024, 64 * 1024, 4096, 1]) {
    for (let n = 0; n < 10_000; n++) {
      try {
        writeFileSync(join(folder, `fill-${size}-${n}`), Buffer.alloc(size));
      } catch {
        break;
      }
    }
  }
}

describe("on a full disk", () => {
  let w: Fixture;
  let isMounted = false;

  beforeAll(async () => {
    w = await fixture();
    isMounted = mounted(w.home, "size=6m,mode=700");
  });

  afterAll(async () => {
    await w.stopDaemon();
    await w.tmux("kill-server").catch(() => undefined);
    if (isMounted) execFileSync("umount", ["-l", w.home]);
    await w[Symbol.asyncDispose]();
  }, 120_000);

  const works = async (...argv: readonly string[]) => {
    const result = await w.tmpm(argv);
    expect(result, argv.join(" ")).toMatchObject({ code: 0 });
    return result;
  };

  test("lists, shows and stops sessions, also in a daemon started on it", { timeout: 240_000 }, async ({ skip }) => {
    skip(!isMounted, "a file system cannot be mounted here");
    const filled = join(w.home, "workspaces");
    mkdirSync(filled, { mode: 0o700 });
    const pidOf = async (name: string) => (await w.json<{ pane: { pane_id: string } }>(["show", name])).pane.pane_id;
    for (const name of ["a", "b", "c"]) await works("new", "--name", name, "--", "cat");
    expect(await pidOf("a")).toMatch(/^%/);
    fill(filled);

    expect((await works("ls")).stdout).toContain("b");
    const refused = await w.tmpm(["new", "--name", "d", "--", "cat"]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(w.home);
    expect(refused.stderr).toMatch(/0\.0 MiB of 6\.0 MiB/);
    await works("stop", "a");
    const listed = await works("ls", "--all");
    expect(`${listed.stdout}${listed.stderr}`).toMatch(/cannot be written to the disk yet/);

    const pid = await w.daemonPid();
    process.kill(pid, "SIGKILL");
    await eventually(async () => ((await isAlive(pid)) ? null : true));
    expect((await works("ls")).stdout).toContain("b");
    await works("stop", "b");
    expect((await w.tmpm(["doctor"])).stdout).toContain(w.home);
    expect((await w.api.attach({ session: "c" })).argv.length).toBeGreaterThan(0);

    rmSync(filled, { recursive: true });
    await eventually(async () => ((await w.api.list({})).store.state === "ok" ? true : null));
    await works("stop", "c");
  });
});
