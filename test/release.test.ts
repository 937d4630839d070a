import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { CreateAnswer, SendAnswer, SessionList } from "@tmpm/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixture } from "./fixture.js";
import { type NpmRegistry, npmRegistry } from "./npm-registry.js";
import { tourScript } from "./tour-script.js";

/** The dashboard is not published as a package: it is built into the daemon's package. */
const PART_OF_THE_DAEMON = "!@tmpm/web";

const run = promisify(execFile);
const REPOSITORY = resolve(import.meta.dirname, "..");
const { TMPM_TEST_VERDACCIO, TMPM_TEST_UNIT_NODES = "" } = process.env;
const LONG_MS = 600_000;
/** A stand-in for the previous release: the same programs under a lower version. */
const BEFORE = "0.0.1";

/** The `node` programs with which users run the installed packages: this one, and the others of the run. */
const NODES = [process.execPath, ...TMPM_TEST_UNIT_NODES.split(delimiter).filter((path) => path !== "")].map((node) => ({
  title: execFileSync(node, ["--version"], { encoding: "utf8" }).trim(),
  node,
}));
const FULL = Number(process.env.TMPM_TEST_SCALE ?? 1) >= 10;
/** The oldest of them by default: `tour.test.ts` runs the tour with this Node. */
const TOURED = NODES.toSorted((a, b) => a.title.localeCompare(b.title, "en", { numeric: true })).slice(0, FULL ? NODES.length : 1);

const WHY_NOT = "verdaccio, the npm registry of this test, is not installed; set TMPM_TEST_VERDACCIO to its folder";

describe.skipIf(TMPM_TEST_VERDACCIO === undefined)(
  `release in a registry${TMPM_TEST_VERDACCIO === undefined ? ` (skipped: ${WHY_NOT})` : ""}`,
  () => {
    let folder = "";
    let registry: NpmRegistry;
    let version = "";

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "tmpm-release-"));
      registry = await npmRegistry(TMPM_TEST_VERDACCIO ?? "");
      const tarballs = join(folder, "tarballs");
      await mkdir(tarballs);
      await run(
        process.execPath,
        ["scripts/run.mjs", "pnpm", "--filter", "@tmpm/*", "--filter", PART_OF_THE_DAEMON, "pack", "--pack-destination", tarballs],
        {
          cwd: REPOSITORY,
        },
      );
      ({ version } = JSON.parse(await readFile(join(REPOSITORY, "apps/cli/package.json"), "utf8")) as { version: string });
      const names = readdirSync(tarballs);
      const programs = names.filter((name) => /^tmpm-(?:cli|daemon)-/.test(name)).map((name) => join(tarballs, name));
      for (const tarball of programs) await registry.publish(await underVersion(tarball, { from: version, to: BEFORE }));
      for (const name of names) await registry.publish(join(tarballs, name));
    }, LONG_MS);

    afterAll(async () => {
      await registry?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    }, LONG_MS);

    /** The environment of a user with this `node`. */
    async function userOf(node: string): Promise<Record<string, string>> {
      const bin = await mkdtemp(join(folder, "bin-"));
      await symlink(node, join(bin, "node"));
      return { ...registry.env, PATH: [bin, registry.env.PATH].join(delimiter) };
    }

    async function installed(wanted: string, { prefix, env }: { readonly prefix: string; readonly env: Record<string, string> }) {
      await run("npm", ["install", "--global", "--prefix", prefix, wanted], { env, cwd: folder });
      return join(prefix, "bin", "tmpm");
    }

    test.each(NODES)("runs the command line with npx in an empty home, by $title", { timeout: LONG_MS }, async ({ node }) => {
      const env = await userOf(node);
      const cwd = await mkdtemp(join(folder, "anywhere-"));
      expect((await run("npx", ["--yes", "@tmpm/cli", "--version"], { env, cwd })).stdout).toBe(`${version}\n`);
    });

    test("installs and imports every published library by name", { timeout: LONG_MS }, async () => {
      const project = await mkdtemp(join(folder, "project-"));
      await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
      const libraries = readdirSync(join(REPOSITORY, "packages")).map((name) => `@tmpm/${name}`);
      await run("npm", ["install", ...libraries], { env: registry.env, cwd: project });
      const program = `for (const name of ${JSON.stringify(libraries)}) console.log(name, Object.keys(await import(name)).length > 0);`;
      await writeFile(join(project, "program.mjs"), program);
      const { stdout } = await run(process.execPath, ["program.mjs"], { env: registry.env, cwd: project });
      expect(stdout).toBe(libraries.map((name) => `${name} true\n`).join(""));
    });

    test.each(TOURED)("runs the tour with the installed program, by $title", { timeout: LONG_MS }, async ({ node }) => {
      const env = await userOf(node);
      const program = await installed("@tmpm/cli", { prefix: await mkdtemp(join(folder, "prefix-")), env });
      await using w = await fixture({ PATH: [dirname(program), env.PATH].join(delimiter) }, program);
      const { stdout } = await run("bash", ["--norc", "-c", tourScript()], { cwd: w.dir, env: { ...w.env } });
      expect(stdout).toContain("the daemon has stopped; sessions keep running");
    });

    test("finds the sessions that the previous release left running", { timeout: LONG_MS }, async () => {
      const env = await userOf(process.execPath);
      const prefix = await mkdtemp(join(folder, "prefix-"));
      await using w = await fixture({ PATH: env.PATH ?? "" }, await installed(`@tmpm/cli@${BEFORE}`, { prefix, env }));
      expect((await w.tmpm(["--version"])).stdout).toBe(`${BEFORE}\n`);
      expect((await w.json<CreateAnswer>(["new", "--name", "demo"])).state).toBe("active");
      const panes = await w.tmux("list-panes", "-a", "-F", "#{pane_id} #{pane_pid}");

      await installed("@tmpm/cli", { prefix, env });
      const refused = await w.tmpm(["ls"]);
      expect(refused.code).toBe(6);
      expect(refused.stderr).toMatch(new RegExp(`runs tmpm ${BEFORE}, and this is tmpm ${version}\\n.*tmpm daemon restart`));
      expect((await w.tmpm(["daemon", "restart"])).code).toBe(0);
      expect((await w.json<SessionList>(["ls"])).sessions).toMatchObject([{ name: "demo", state: "active" }]);
      expect((await w.json<SendAnswer>(["send", "demo", "echo still here"])).receipt.outcome).toBe("submitted");
      expect(await w.tmux("list-panes", "-a", "-F", "#{pane_id} #{pane_pid}")).toBe(panes);
      expect((await w.json<{ version: string }>(["daemon", "status"])).version).toBe(version);
    });
  },
);

/** The same package with all occurrences of its version replaced. */
async function underVersion(tarball: string, { from, to }: { readonly from: string; readonly to: string }): Promise<string> {
  const folder = await mkdtemp(join(dirname(tarball), "before-"));
  await run("tar", ["-xzf", tarball, "-C", folder]);
  const inside = join(folder, "package");
  const files = readdirSync(inside, { recursive: true, encoding: "utf8" }).filter((file) => /(?:^package\.json|\.c?js)$/.test(file));
  for (const file of files) {
    const text = await readFile(join(inside, file), "utf8");
    await writeFile(join(inside, file), text.replaceAll(`"${from}"`, `"${to}"`).replaceAll(`"^${from}"`, `"^${to}"`));
  }
  const [packed] = (await run("npm", ["pack", "--pack-destination", folder, inside])).stdout.trim().split("\n").slice(-1);
  const file = join(folder, packed ?? "");
  expect(existsSync(file)).toBe(true);
  return file;
}
