import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkShape } from "./check-shape.mjs";

const roots = [];

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

const lines = (count) => "x\n".repeat(count);
const sound = {
  "AGENTS.md": lines(99),
  "packages/core/README.md": lines(60),
  "packages/core/src/ids.ts": lines(300),
  "packages/core/test/id/ids.test.ts": lines(400),
};

function shapeOf(files) {
  const root = mkdtempSync(join(tmpdir(), "tmpm-shape-"));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkShape(root);
}

test("a repository within its limits has no violations, and a test may be long", () => {
  expect(shapeOf(sound)).toEqual([]);
});

test("a source file over 300 lines is reported", () => {
  expect(shapeOf({ ...sound, "packages/core/src/ids.ts": lines(301) })).toEqual(["packages/core/src/ids.ts:301  301 lines; at most 300"]);
});

test.each(["utils.ts", "common.ts", "helpers.ts", "types.ts", "utils/text.ts"])("a file named %s is reported", (path) => {
  expect(shapeOf({ ...sound, [`packages/core/src/${path}`]: "" })).toEqual([expect.stringContaining(`packages/core/src/${path}:1  `)]);
});

test("AGENTS.md has fewer than 100 lines and a package's README at most 60", () => {
  expect(shapeOf({ ...sound, "AGENTS.md": lines(100), "packages/core/README.md": lines(61) })).toEqual([
    expect.stringMatching(/^AGENTS\.md:100 {2}100 lines/),
    expect.stringMatching(/^packages\/core\/README\.md:61 {2}61 lines/),
  ]);
});

test("a package without README or tests is reported, and so is an app", () => {
  expect(shapeOf({ ...sound, "packages/store/src/index.ts": "", "apps/cli/src/main.ts": "", "apps/cli/test/open.ts": "" })).toEqual([
    "packages/store/README.md:1  is missing",
    "apps/cli/README.md:1  is missing",
    "packages/store/test:1  contains no tests",
    "apps/cli/test:1  contains no tests",
  ]);
});
