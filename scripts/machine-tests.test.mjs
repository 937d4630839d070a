import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./bootstrap/root.mjs";
import { MACHINE } from "./machine-tests.mjs";

test("every listed machine test exists", () => {
  const files = MACHINE.filter((file) => !file.includes("*"));
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(files.length).toBeGreaterThan(50);
});
