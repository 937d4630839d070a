import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { proveUtf8 } from "../src/index.js";

const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith("tmpm-utf8-"));

test("tmux shows a wide and a combined character whatever the locale is, and nothing of it is left", { timeout: 60_000 }, async () => {
  const before = left();
  expect(await proveUtf8({ env: { PATH: process.env.PATH, LC_ALL: "C" }, deadlineMs: 30_000 })).toEqual({ kind: "shown" });
  expect(left().filter((name) => !before.includes(name))).toEqual([]);
});

test("a tmux that shows something else is found out, and one that is missing proves nothing", { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-fake-"));
  const program = join(folder, "tmux");
  try {
    writeFileSync(program, '#!/bin/sh\ncase "$*" in *display-message*) printf "3\\n__|\\n";; esac\n');
    chmodSync(program, 0o755);
    const env = { PATH: process.env.PATH };
    expect(await proveUtf8({ env, program })).toEqual({ kind: "wrong", row: "__|", cells: 3 });
    expect(await proveUtf8({ env, program: join(folder, "none") })).toMatchObject({ kind: "unproven" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
