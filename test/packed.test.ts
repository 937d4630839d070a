import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const PACKED = ["core", "processes", "tmux-driver", "store"];
const NPM_FLAGS = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"];
const NO_NETWORK = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|ENOTCACHED)\b/;

describe("packages as a stranger's project gets them", () => {
  const project = mkdtempSync(join(tmpdir(), "tmpm-packed-"));
  let unreachable: string | null = null;

  beforeAll(async () => {
    for (const name of PACKED) expect(existsSync(join(repository, "packages", name, "dist")), `${name} is built`).toBe(true);
    const filters = PACKED.flatMap((name) => ["--filter", `@tmpm/${name}`]);
    await run(["scripts/run.mjs", "pnpm", ...filters, "pack", "--pack-destination", project], { cwd: repository });
    const tarballs = readdirSync(project).map((name) => `./${name}`);
    writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
    try {
      await runProgram("npm", { args: ["install", ...NPM_FLAGS, ...tarballs], cwd: project });
    } catch (error) {
      unreachable = NO_NETWORK.exec(String(error))?.[0] ?? null;
      if (unreachable === null) throw error;
    }
  }, 120_000);

  beforeEach((context) => {
    if (unreachable !== null) context.skip(`npm cannot reach its registry for what the packages depend on (${unreachable})`);
  });

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  function write(name: string, text: string): string {
    writeFileSync(join(project, name), text);
    return join(project, name);
  }

  test.each(PACKED)("the manifest of %s names versions and files that are in the package", (name) => {
    const folder = join(project, "node_modules", "@tmpm", name);
    const text = readFileSync(join(folder, "package.json"), "utf8");
    expect(text).not.toMatch(/workspace:|catalog:|@tmpm\/source/);
    for (const file of text.match(/"\.\/[^"*]+\.(?:js|ts|json)"/g) ?? [])
      expect(existsSync(join(folder, JSON.parse(file))), file).toBe(true);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist", "package.json"]));
    expect(existsSync(join(folder, "src"))).toBe(false);
  });

  test("core names and reads sessions", async () => {
    const program = `
      import { nameFromDir, Session, SessionRecord } from "@tmpm/core";
      console.log(nameFromDir("/home/me/My Project"), Session.safeParse({}).success, SessionRecord.safeParse({}).success);`;
    expect(await run([write("core.mjs", program)], { cwd: project })).toBe("tmpm-my-project false false\n");
  });

  test("the stores keep and find records", async () => {
    const program = `
      import { directoryStore } from "@tmpm/store";
      import { memoryStore } from "@tmpm/store/memory";
      for (const store of [directoryStore({ base: ${JSON.stringify(join(project, "records"))} }), memoryStore()]) {
        console.log((await store.list()).length);
        await store.close();
      }`;
    expect(await run([write("store.mjs", program)], { cwd: project })).toBe("0\n0\n");
  });

  test("a test of theirs drives the fake tmux", async () => {
    write("fake.test.mjs", FAKE_TEST);
    const vitest = join(repository, "node_modules", "vitest", "vitest.mjs");
    const printed = await run([vitest, "run", "--root", project, "--globals", "--reporter=verbose"], { cwd: project });
    expect(printed).toMatch(/1 passed/);
  });

  test("their types are found and hold under strict rules", async () => {
    const file = write("types.mts", TYPES);
    const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
    await run([tsc, "--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--types", "", "--skipLibCheck", file], {
      cwd: project,
    });
  });
});

test("what would be published is as publint and attw want it", { timeout: 180_000 }, async () => {
  // `npm run check` looks at all of them.
  const names = Number(process.env.TMPM_TEST_SCALE ?? 1) >= 10 ? [] : ["@tmpm/core", "@tmpm/cli"];
  expect(await run(["scripts/check-packages.mjs", ...names], { cwd: repository })).toMatch(/^(?:@tmpm\/[a-z-]+: ok\n)+$/);
});

const FAKE_TEST = `
  import { fakeTmux } from "@tmpm/tmux-driver/fake";
  test("a shell answers", async () => {
    const { driver, received } = fakeTmux();
    const sessionId = "3b241101-e2bb-4255-8caf-4136c566a962";
    const pane = await driver.create({ sessionId, tmuxName: "tmpm-a", cwd: "/", argv: ["sh"], env: {}, columns: 80, rows: 24 });
    await driver.paste(pane.identity, "echo it-works");
    await driver.keys(pane.identity, ["Enter"]);
    expect((await driver.capture(pane.identity)).lines).toContain("it-works");
    expect(received(sessionId)).toHaveLength(2);
    await driver.close();
  });`;

const TYPES = `
  import { nameFromDir, type Session, type SessionRecord } from "@tmpm/core";
  import type { SessionStore } from "@tmpm/store";
  import { memoryStore } from "@tmpm/store/memory";
  import type { TmuxDriver } from "@tmpm/tmux-driver";
  import { fakeTmux } from "@tmpm/tmux-driver/fake";
  export const driver: TmuxDriver = fakeTmux().driver;
  export const store: SessionStore = memoryStore();
  export const name: string = nameFromDir("/a");
  export type Both = [Session["id"], SessionRecord["id"]];
  // @ts-expect-error: a name is text, so the types are not lost on the way
  export const wrong: number = nameFromDir("/a");`;

/** Runs this Node and resolves with what was printed. */
function run(args: readonly string[], { cwd }: { readonly cwd: string }): Promise<string> {
  return runProgram(process.execPath, { args, cwd });
}

function runProgram(program: string, { args, cwd }: { readonly args: readonly string[]; readonly cwd: string }): Promise<string> {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(Buffer.concat(stdout).toString());
      else reject(new Error(`${program} ${args.join(" ")} ended with exit code ${code}:\n${Buffer.concat([...stdout, ...stderr])}`));
    });
  });
}
