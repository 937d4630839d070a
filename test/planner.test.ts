import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { fixture } from "./fixture.js";
import { partScript } from "./tour-script.js";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "..");

test("the planner of docs/mcp.md starts two workers, reads their changes, asks, reports, and its end stops them", async () => {
  await using user = await fixture();
  const bin = join(user.home, "..", "bin");
  const repository = join(user.dir, "repository");
  for (const folder of [bin, repository]) mkdirSync(folder);
  symlinkSync(join(ROOT, "tmpm"), join(bin, "tmpm"));
  const env = { ...user.env, PATH: `${bin}:${user.env.PATH}` };
  const git = (...args: readonly string[]) => run("git", ["-C", repository, ...args], { env });
  await git("init", "--quiet");
  await git("config", "user.name", "Demo");
  await git("config", "user.email", "demo@example.com");
  copyFileSync(join(ROOT, "examples/planner.sh"), join(repository, "planner.sh"));
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Begin");

  const { stdout } = await run("bash", ["--norc", "-c", partScript("mcp.md", "Try it without a model")], { cwd: repository, env });
  expect(stdout).toMatch(/planner: asks: Two files are written\. What should happen to them\?/);
  expect(stdout).toMatch(/^`-guide .*idle/m);
  expect(stdout).toMatch(/^planner +done .*Your word was: Keep both \[GUIDE\.md, LICENCE\.md\]$/m);
  expect([existsSync(join(repository, "GUIDE.md")), existsSync(join(repository, "LICENCE.md"))]).toEqual([true, false]);
  const { sessions } = await user.api.list({});
  expect(Object.fromEntries(sessions.map(({ name, state }) => [name, state]))).toEqual({ planner: "stopped", licence: "stopped" });
}, 300_000);
