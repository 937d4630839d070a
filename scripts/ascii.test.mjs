import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { escaped } from "./bundled/ascii.mjs";

test("escapes in a regular expression match the original characters, with and without the flag u", () => {
  for (const text of ["❯", "─", "é", "👍"])
    for (const flags of ["", "u"]) {
      const source = escaped(`^${text}$`);
      expect(source).toMatch(/^[\0-\x7f]+$/);
      expect(new RegExp(source, flags).test(text), source).toBe(true);
    }
});

test("the built daemon is ASCII", () => {
  const built = join(import.meta.dirname, "../apps/daemon/dist");
  const files = readdirSync(built).filter((name) => name.endsWith(".js"));
  expect(files).toContain("main.js");
  for (const name of files) expect(readFileSync(join(built, name), "latin1"), name).toMatch(/^[\0-\x7f]+$/);
});
