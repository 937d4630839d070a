import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { temporaryName } from "@tmpm/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sweepLeftovers } from "../../src/lifecycle/sweep-leftovers.js";

const NOW = Date.now();
const RUNNING = 4242;
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tmpm-sweep-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, ageMs = 0): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "x");
  const seconds = (NOW - ageMs) / 1000;
  utimesSync(file, seconds, seconds);
}

function left(): readonly string[] {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name).slice(home.length + 1)] : [])).toSorted();
}

const sweep = () =>
  sweepLeftovers({
    home,
    now: () => NOW,
    isRunning: (pid) => pid === RUNNING,
    report: ({ doing, error }) => {
      throw new Error(doing, { cause: error });
    },
  });

const ofDead = temporaryName("a", { pid: 99, token: "0123456789abcdef" });
const ofRunning = temporaryName("a", { pid: RUNNING, token: "0123456789abcdef" });

test.each([
  ...[
    "decisions",
    "requests",
    "operations",
    "launch-env",
    "thoughts",
    "tokens",
    "upload-lists",
    "hooks/s",
    "sends/s",
    "turns/s",
    "tmux",
  ].map((folder) => ({
    folder,
    leaves: [],
  })),
  { folder: "sessions/default", leaves: [ofRunning] },
  { folder: ".", leaves: [ofRunning] },
  { folder: "workspaces/w", leaves: [ofDead, ofRunning] },
  { folder: "trash/w", leaves: [ofDead, ofRunning] },
])("only files in $folder that may still be in use are kept", ({ folder, leaves }) => {
  for (const name of [ofDead, ofRunning, "kept.json", ".hidden"]) put(join(folder, name));
  sweep();
  expect(left()).toEqual([...leaves, "kept.json", ".hidden"].map((name) => join(folder, name)).toSorted());
});

test("an hour-old temporary file is removed, even if its process id was reused", () => {
  put(`sessions/default/${ofRunning}`, 3_700_000);
  sweep();
  expect(left()).toEqual([]);
});

test("compiled code is removed after 30 days", () => {
  put("compiled/v24.21.0/0123abcd", 31 * 86_400_000);
  put("compiled/v24.21.0/1123abcd", 29 * 86_400_000);
  sweep();
  expect(left()).toEqual(["compiled/v24.21.0/1123abcd"]);
});

test("a launch file, which holds an environment, is removed once no shell can run it", () => {
  put("tmux/launch-0123456789abcdef01234567", 61_000);
  put("tmux/launch-1123456789abcdef01234567", 1_000);
  sweep();
  expect(left()).toEqual(["tmux/launch-1123456789abcdef01234567"]);
});

test("a missing home is not a failure", () => {
  rmSync(home, { recursive: true });
  sweep();
});
