import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the example of the README is the test that runs", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  expect(read("../README.md")).toContain(`\`\`\`ts\n${read("./readme.test.ts")}\`\`\``);
});
