import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { foreignPlaces } from "../src/git/own-groups.js";
import { startGit } from "../src/git/start-git.js";
import { mountPoints, parseLsof, parseMountInfo, processPlaces } from "../src/index.js";
import { openFolder } from "./repository.js";

describe("machine processes", () => {
  test("are listed with their working directories until they end", async () => {
    using folder = openFolder();
    const cwd = join(folder.path, "a b");
    mkdirSync(cwd);
    const child = spawn("sleep", ["60"], { cwd, stdio: "ignore" });
    try {
      expect(await processPlaces()).toEqual(
        expect.arrayContaining([
          { pid: child.pid, cwd },
          { pid: process.pid, cwd: process.cwd() },
        ]),
      );
    } finally {
      child.kill("SIGKILL");
    }
    await expect.poll(async () => (await processPlaces()).filter((place) => place.cwd === cwd)).toEqual([]);
  });

  test("that are our own git do not count as users of a folder", async () => {
    using folder = openFolder();
    const child = spawn("sleep", ["60"], { cwd: folder.path, stdio: "ignore" });
    const git = startGit(["-C", folder.path, "-c", "alias.stay=!sleep 60", "stay"], { env: process.env, mostBytes: 1_000 });
    const here = async () => (await processPlaces()).filter(({ cwd }) => cwd === folder.path);
    try {
      await expect.poll(async () => (await here()).length).toBeGreaterThan(1);
      expect(await foreignPlaces(here)).toEqual([{ pid: child.pid, cwd: folder.path }]);
    } finally {
      child.kill("SIGKILL");
      git.kill();
    }
    await git.ended;
  });

  test("are read from lsof without /proc", () => {
    expect(parseLsof("p1\nfcwd\nn/\np42\nfcwd\nn/home/me/a b\n")).toEqual([
      { pid: 1, cwd: "/" },
      { pid: 42, cwd: "/home/me/a b" },
    ]);
  });
});

describe("machine mounts", () => {
  test.runIf(process.platform === "linux")("include the root", async () => {
    expect(await mountPoints()).toContain("/");
  });

  test("are unescaped", () => {
    expect(parseMountInfo("36 35 98:0 / /mnt/a\\040b\\134c rw - ext3 /dev/root rw\n")).toEqual(["/mnt/a b\\c"]);
  });
});
