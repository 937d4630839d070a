import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { fixture } from "./fixture.js";
import { tourScript } from "./tour-script.js";

const run = promisify(execFile);

/** The blocks are run in one shell, in order. */
test("the ten-minute tour runs as written, and removes everything that it created", { timeout: 300_000 }, async () => {
  await using w = await fixture();
  const bin = join(w.dir, "bin");
  mkdirSync(bin);
  symlinkSync(resolve(import.meta.dirname, "../tmpm"), join(bin, "tmpm"));
  const env = { ...w.env, PATH: `${bin}:${w.env.PATH}` };
  const { stdout } = await run("bash", ["--norc", "-c", tourScript()], { cwd: w.dir, env });
  expect(stdout).toMatch(/^docs\nfix-login\nNAME +STATE /);
  expect(stdout).toContain("it contains work that exists nowhere else");
  expect(stdout).toContain("the daemon has stopped; sessions keep running");
});
