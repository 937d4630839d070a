import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const PACKED = ["core", "tmux-driver", "store"];

describe("packages as a stranger's project gets them", () => {
  const project = mkdtempSync(join(tmpdir(), "tmpm-packed-"));

  beforeAll(async () => {
    for (const name of PACKED) expect(existsSync(join(repository, "packages", name, "dist")), `${name} is built`).toBe(true);
    const filters = PACKED.flatMap((name) => ["--filter", `@tmpm/${name}`]);
    await run(["scripts/run.mjs", "pnpm", ...filters, "pack", "--pack-destination", project], { cwd: repository });
    const tarballs = readdirSync(project).map((name) => `./${name}`);
    writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
    await npm(["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", ...tarballs]);
  }, 120_000);

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  function npm(args: readonly string[]): Promise<string> {
    return runProgram("npm", { args, cwd: project });
  }

  function program(text: string): Promise<string> {
    const file = join(project, "program.js");
    writeFileSync(file, text);
    return run([file], { cwd: project });
  }

  test.each(PACKED)("the manifest of %s names versions and files that are in the package", (name) => {
    const folder = join(project, "node_modules", "@tmpm", name);
    const text = readFileSync(join(folder, "package.json"), "utf8");
    expect(text).not.toMatch(/workspace:|catalog:|@tmpm\/source/);
    for (const file of text.match(/"\.\/[^"*]+\.(?:js|ts|json)"/g) ?? [])
      expect(existsSync(join(folder, JSON.parse(file))), file).toBe(true);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(["LICENSE", "dist", "package.json"]));
    expect(existsSync(join(folder, "src"))).toBe(false);
  });

  test("core names and reads sessions", async () => {
    const printed = await program(`
      import { nameFromDir, Session, SessionRecord } from "@tmpm/core";
      console.log(nameFromDir("/home/me/My Project"), typeof Session.parse, typeof SessionRecord.parse);`);
    expect(printed).toBe("tmpm-my-project function function\n");
  });
});

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
