import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CreateAnswer, SendAnswer } from "@tmpm/api";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fixture } from "./fixture.js";
import { pageOverHttp } from "./page-over-http.js";

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const LIBRARIES = ["core", "processes", "agents", "host", "tmux-driver", "store"];
const PROGRAMS = ["cli", "daemon"];
const NPM_FLAGS = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"];
const NO_NETWORK = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|ENOTCACHED)\b/;

const folder = mkdtempSync(join(tmpdir(), "tmpm-packed-"));
const tarballs = join(folder, "tarballs");

beforeAll(async () => {
  for (const name of LIBRARIES) expect(existsSync(join(repository, "packages", name, "dist")), `${name} is built`).toBe(true);
  const filters = [...LIBRARIES, ...PROGRAMS].flatMap((name) => ["--filter", `@tmpm/${name}`]);
  mkdirSync(tarballs);
  await run(["scripts/run.mjs", "pnpm", ...filters, "pack", "--pack-destination", tarballs], { cwd: repository });
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A user's project, with tmpm's packages installed by npm. */
async function install(project: string, { names, flags }: { readonly names: readonly string[]; readonly flags: readonly string[] }) {
  const files = readdirSync(tarballs).filter((file) => names.some((name) => new RegExp(`^tmpm-${name}-\\d`).test(file)));
  expect(files).toHaveLength(names.length);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await runProgram("npm", { args: ["install", ...flags, ...files.map((file) => join(tarballs, file))], cwd: project });
}

describe("packages installed in another project", () => {
  const project = join(folder, "libraries");
  let unreachable: string | null = null;

  beforeAll(async () => {
    try {
      await install(project, { names: LIBRARIES, flags: NPM_FLAGS });
    } catch (error) {
      unreachable = NO_NETWORK.exec(String(error))?.[0] ?? null;
      if (unreachable === null) throw error;
    }
  }, 300_000);

  beforeEach((context) => {
    if (unreachable !== null) context.skip(`npm cannot reach its registry for the dependencies of the packages (${unreachable})`);
  });

  function write(name: string, text: string): string {
    writeFileSync(join(project, name), text);
    return join(project, name);
  }

  test.each(LIBRARIES)("%s has a manifest with the versions and files of the package", (name) => {
    const folder = join(project, "node_modules", "@tmpm", name);
    const text = readFileSync(join(folder, "package.json"), "utf8");
    expect(text).not.toMatch(/workspace:|catalog:|@tmpm\/source/);
    for (const file of text.match(/"\.\/[^"*]+\.(?:js|ts|json)"/g) ?? [])
      expect(existsSync(join(folder, JSON.parse(file))), file).toBe(true);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist", "package.json"]));
    expect(existsSync(join(folder, "src"))).toBe(false);
  });

  test("let a program name and read sessions, keep records, and drive the fake tmux", async () => {
    expect(await run([write("program.mjs", PROGRAM)], { cwd: project })).toBe("tmpm-my-project false false\n0\n0\nit works\n");
  });

  test("have types that resolve and compile in strict mode", async () => {
    const file = write("types.mts", TYPES);
    const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
    await run([tsc, "--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--types", "", "--skipLibCheck", file], {
      cwd: project,
    });
  });
});

test("the command line runs without optional dependencies, and names the missing node-pty", {
  timeout: 300_000,
}, async () => {
  const project = join(folder, "programs");
  await install(project, { names: PROGRAMS, flags: [...NPM_FLAGS, "--omit=optional"] });
  expect(readdirSync(join(project, "node_modules"))).toEqual([".bin", ".package-lock.json", "@tmpm"]);
  await using w = await fixture({}, join(project, "node_modules", ".bin", "tmpm"));
  expect(await w.tmpm(["--version"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect((await w.json<CreateAnswer>(["new", "--name", "demo"])).state).toBe("active");
  expect((await w.json<SendAnswer>(["send", "demo", "echo it works"])).receipt.outcome).toBe("submitted");
  const { page, scripts } = await pageOverHttp((await w.json<{ login: { url: string } }>(["web", "--no-open"])).login.url);
  expect(page).toContain("<title>tmpm</title>");
  expect(scripts.join("").length).toBeGreaterThan(10_000);
  const refused = await w.tmpm(["new", "--name", "held", "--host", "pty"]);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/node-pty/);
});

test("published packages pass publint and attw", { timeout: 300_000 }, async () => {
  // `npm run check` covers all of them.
  const all = Number(process.env.TMPM_TEST_SCALE ?? 1) >= 10;
  const sample = [LIBRARIES[Number(process.env.TMPM_TEST_SEED ?? 0) % LIBRARIES.length], "cli"].map((name) => `@tmpm/${name}`);
  const args = ["scripts/check-packages.mjs", ...(all ? [] : ["--packed", tarballs, ...sample])];
  expect(await run(args, { cwd: repository })).toMatch(/^(?:@tmpm\/[a-z-]+: ok\n)+$/);
});

const PROGRAM = `
  import { nameFromDir, Session, SessionRecord } from "@tmpm/core";
  import { directoryStore } from "@tmpm/store";
  import { memoryStore } from "@tmpm/store/memory";
  import { fakeTmux } from "@tmpm/tmux-driver/fake";

  console.log(nameFromDir("/home/me/My Project"), Session.safeParse({}).success, SessionRecord.safeParse({}).success);

  for (const store of [directoryStore({ base: new URL("records", import.meta.url).pathname }), memoryStore()]) {
    console.log((await store.list()).length);
    await store.close();
  }

  const { driver, received } = fakeTmux();
  const sessionId = "3b241101-e2bb-4255-8caf-4136c566a962";
  const pane = await driver.create({ sessionId, tmuxName: "tmpm-a", cwd: "/", argv: ["sh"], env: {}, columns: 80, rows: 24 });
  await driver.paste(pane.identity, "echo it-works");
  await driver.keys(pane.identity, ["Enter"]);
  const { lines } = await driver.capture(pane.identity);
  console.log(lines.includes("it-works") && received(sessionId).length === 2 ? "it works" : "it does not work");
  await driver.close();`;

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

/** Runs this Node and resolves with its output. */
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
