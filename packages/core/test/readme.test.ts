import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { bundle } from "./bundle.js";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);

test.each([
  [0, ["tmpm-my-app 2026-01-02T03:04:05Z", "stopped unexpected", "INVALID_TEXT none 4"]],
  [1, ["claude", "damaged: id"]],
])("README example %d prints the stated output", async (index, expected) => {
  const lines: string[] = [];
  const { text } = await bundle(examples[index] ?? "");
  runInNewContext(text, { console: { log: (...parts: readonly unknown[]) => lines.push(parts.join(" ")) } });
  expect(lines).toEqual(expected);
  for (const line of expected) expect(readme).toContain(line);
  expect(examples).toHaveLength(2);
});
