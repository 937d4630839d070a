import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const MAIN = join(import.meta.dirname, "../../dist/main.js");
const KEEPS = "flushCompileCache" in createRequire(import.meta.url)("node:module");
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tmpm-compiled-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A program that exits by itself. */
async function examine(): Promise<void> {
  const child = spawn(process.execPath, [MAIN, "--doctor"], { env: { ...process.env, TMPM_HOME: home }, stdio: "ignore" });
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
}

test("compiled code is cached in the home, if Node supports that", async () => {
  await examine();
  expect(existsSync(join(home, "compiled"))).toBe(KEEPS);
  const files = KEEPS ? readdirSync(join(home, "compiled"), { recursive: true }) : [];
  expect(files.length > 1).toBe(KEEPS);
});

test("compiled code is not cached in a home that other users can enter", async () => {
  chmodSync(home, 0o755);
  await examine();
  expect(existsSync(join(home, "compiled"))).toBe(false);
});
