import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PATHS } from "@tmpm/api";
import { hasErrno } from "@tmpm/core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/listen/listen.js";
import { serverFixture } from "../fixtures/server-fixture.js";

const run = promisify(execFile);
const page = readFileSync(new URL("../../../../docs/api.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/```(sh|ts)\n(.*?)```/gs)].map(([, kind = "", text = ""]) => ({ kind, text }));
const api = fileURLToPath(new URL("../../../../packages/api", import.meta.url));

/** Whether curl is installed and supports `--json` (7.82). */
function curlFault(): string | null {
  try {
    const [, major = 0, minor = 0] = /^curl (\d+)\.(\d+)/.exec(execFileSync("curl", ["--version"], { encoding: "utf8" })) ?? [];
    return Number(major) * 1_000 + Number(minor) >= 7_082 ? null : "curl is older than 7.82";
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return "curl is not installed";
    throw error;
  }
}

/** The output stated in the comments of a block, in pieces between the ellipses. */
function promised(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => (line.startsWith("# ") ? line.slice(2).split("…") : []));
}

/** If the page follows a stream for a second, the first lines are awaited instead. */
function untilItCame(text: string): string {
  return text.replaceAll(/ --max-time 1 (.*) \|\| true/g, " --max-time 50 $1 | head -n 4 || true");
}

async function listening() {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-doc-"));
  const l = await serverFixture({ home: dir });
  const socket = join(dir, "run", "s");
  const doors = await listen(l.app, { guard: l.guard, version: "1.2.3", socket, tcp: null, label: () => "l", report: () => undefined });
  onTestFinished(async () => {
    const closed = doors.close();
    doors.cut();
    await Promise.all([closed, l.app.close()]);
    rmSync(dir, { recursive: true, force: true });
  });
  return { dir, env: { ...process.env, TMPM_SOCKET: socket } };
}

/** The example as a separate program, with the packages installed. */
async function bundled(code: string, file: string): Promise<void> {
  const tsup = createRequire(join(dirname(dirname(api)), "package.json")).resolve("tsup");
  const esbuild: { build(options: object): Promise<unknown> } = createRequire(tsup)("esbuild");
  const stdin = { contents: code, resolveDir: api, loader: "ts" };
  await esbuild.build({
    stdin,
    bundle: true,
    outfile: file,
    platform: "node",
    format: "esm",
    conditions: ["@tmpm/source"],
    logLevel: "silent",
  });
}

describe("docs/api.md", () => {
  let fault: string | null = null;
  beforeAll(() => {
    fault = curlFault();
  });

  test("has commands that print the documented output", { timeout: 300_000 }, async (context) => {
    if (fault !== null) context.skip(fault);
    const { dir, env } = await listening();
    const commands = blocks.filter(({ kind }) => kind === "sh");
    expect(commands.length).toBeGreaterThan(8);
    for (const { text } of commands) {
      const { stdout } = await run("bash", ["-euo", "pipefail", "-c", untilItCame(text)], { cwd: dir, env });
      let from = 0;
      for (const piece of promised(text)) {
        const at = stdout.indexOf(piece, from);
        expect(
          at,
          `${text}\nprinted, where ${JSON.stringify(piece)} should come:\n${stdout.slice(from, from + 1_000)}`,
        ).toBeGreaterThanOrEqual(0);
        from = at + piece.length;
      }
    }
    const [example] = blocks.filter(({ kind }) => kind === "ts");
    const program = join(dir, "example.mjs");
    await bundled(example?.text ?? "", program);
    const { stdout } = await run(process.execPath, [program], { cwd: dir, env });
    expect(stdout.trim().split("\n")).toEqual(["demo idle", "once idle", "other idle", "done", "session_stopped true"]);
  });

  test("lists the routes that can run in the background, as the contracts do", async () => {
    const { CONTRACTS } = await import("@tmpm/api");
    const long = Object.entries(CONTRACTS).flatMap(([name, contract]) => ("long" in contract ? [name] : []));
    const [, said = ""] = /\n(.*) respond 202 to/.exec(page) ?? [];
    expect([...said.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(long.sort());
    expect(PATHS.operation.path).toBe("/v1/operations/:operation");
  });
});
