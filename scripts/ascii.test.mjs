import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { escaped } from "./bundled/ascii.mjs";

test("escapes in a regular expression match what the characters did, with and without the flag u", () => {
  for (const text of ["❯", "─", "é", "👍"])
    for (const flags of ["", "u"]) {
      const source = escaped(`^${text}$`);
      expect(source).toMatch(/^[\0-\x7f]+$/);
      expect(new RegExp(source, flags).test(text), source).toBe(true);
    }
});

test("the built daemon is ASCII", () => {
  expect(readFileSync(join(import.meta.dirname, "../apps/daemon/dist/main.js"), "latin1")).toMatch(/^[\0-\x7f]+$/);
});
