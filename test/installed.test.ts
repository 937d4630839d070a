import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { CreateAnswer, SendAnswer } from "@tmpm/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { world } from "./world.js";

const run = promisify(execFile);
const repository = dirname(import.meta.dirname);
const NPM_FLAGS = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional"];

/** The published command line in a project of somebody's, as `npx` would put it there; without node-pty, which is optional. */
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "tmpm-installed-"));
  const filters = ["--filter", "@tmpm/cli", "--filter", "@tmpm/daemon"];
  await run(process.execPath, ["scripts/run.mjs", "pnpm", ...filters, "pack", "--pack-destination", project], { cwd: repository });
  const tarballs = (await readdir(project)).map((name) => `./${name}`);
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true }));
  await run("npm", ["install", ...NPM_FLAGS, ...tarballs], { cwd: project });
}, 120_000);

afterAll(() => rm(project, { recursive: true, force: true }));

test("what is installed needs nothing besides itself, and says what is missing without node-pty", { timeout: 60_000 }, async () => {
  expect(await readdir(join(project, "node_modules"))).toEqual([".bin", ".package-lock.json", "@tmpm"]);
  await using w = await world({}, join(project, "node_modules", ".bin", "tmpm"));
  expect(await w.tmpm(["--version"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect((await w.json<CreateAnswer>(["new", "--name", "demo"])).state).toBe("active");
  expect((await w.json<SendAnswer>(["send", "demo", "echo it works"])).receipt.outcome).toBe("submitted");
  const refused = await w.tmpm(["new", "--name", "held", "--host", "pty"]);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/node-pty/);
});
