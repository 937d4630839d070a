import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { proveUtf8 } from "../src/index.js";

/** It has no leftovers of other programs. */
function folderOfOwn(): string {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

test("tmux shows a wide and a combined character in any locale, and nothing is left behind", { timeout: 60_000 }, async () => {
  const folder = folderOfOwn();
  vi.stubEnv("TMPDIR", folder);
  expect(await proveUtf8({ env: { PATH: process.env.PATH, LC_ALL: "C" }, deadlineMs: 30_000 })).toEqual({ kind: "shown" });
  expect(readdirSync(folder)).toEqual([]);
});

test("a tmux that shows anything else fails, and a missing one proves nothing", { timeout: 60_000 }, async () => {
  const folder = folderOfOwn();
  const program = join(folder, "tmux");
  writeFileSync(program, '#!/bin/sh\ncase "$*" in *display-message*) printf "3\\n__|\\n";; esac\n');
  chmodSync(program, 0o755);
  const env = { PATH: process.env.PATH };
  expect(await proveUtf8({ env, program, deadlineMs: 30_000 })).toEqual({ kind: "wrong", row: "__|", cells: 3 });
  expect(await proveUtf8({ env, program: join(folder, "none") })).toMatchObject({ kind: "unproven" });
});
