import { execFile } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { fixture } from "./fixture.js";
import { tourScript } from "./tour-script.js";

const run = promisify(execFile);

/** As a reader who copies one block after the other into a shell. */
test("the ten-minute tour runs as it stands, and leaves nothing behind", { timeout: 300_000 }, async () => {
  await using w = await fixture();
  const bin = join(w.dir, "bin");
  mkdirSync(bin);
  symlinkSync(resolve(import.meta.dirname, "../tmpm"), join(bin, "tmpm"));
  const env = { ...w.env, PATH: `${bin}:${w.env.PATH}` };
  const { stdout } = await run("bash", ["--norc", "-c", tourScript()], { cwd: w.dir, env });
  expect(stdout).toMatch(/^docs\nfix-login\nNAME +STATE /);
  expect(stdout).toContain("it holds work that is nowhere else");
  expect(stdout).toContain("the daemon has stopped; sessions keep running");
});

test("the completion that bash is given completes the names of sessions, and starts no daemon", { timeout: 180_000 }, async () => {
  await using w = await fixture();
  const ask = async () => {
    const program = resolve(import.meta.dirname, "../tmpm");
    const script = `source <(${program} completion bash); COMP_WORDS=(${program} show sid); COMP_CWORD=2; _tmpm; echo "\${COMPREPLY[@]}"`;
    return (await run("bash", ["--norc", "-c", script], { cwd: w.dir, env: { ...w.env } })).stdout.trim();
  };
  expect(await ask()).toBe("");
  expect(existsSync(join(w.home, "run", "tmpm.sock"))).toBe(false);
  await w.json(["new", "--name", "sidecar"]);
  expect(await ask()).toBe("sidecar");
});
