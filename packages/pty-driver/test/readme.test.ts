import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { builtPrograms } from "./built-programs.js";
import { endAll } from "./pty-fixture.js";

test("the README tour is shown as it runs, and runs", async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
  expect(await read("../README.md")).toContain(`\`\`\`ts\n${await read("readme-tour.ts")}\`\`\``);
  const dir = await mkdtemp(join(tmpdir(), "tmpm-"));
  const { entry, attach } = await builtPrograms();
  const printed: unknown[][] = [];
  vi.spyOn(console, "log").mockImplementation((...words) => void printed.push(words));
  const before = process.argv.slice(2);
  process.argv.splice(2, before.length, join(dir, "h"), entry, attach);
  try {
    await import("./readme-tour.js");
    expect(printed).toContainEqual([["ready> echo 'hello;'", "hello;", "ready>"]]);
    expect(printed).toContainEqual([expect.objectContaining({ survivors: [] })]);
    expect(printed.at(-1)?.[0]).toBe("screen");
    expect(printed.at(-1)?.[1]).toMatch(/^(?:exited|closed)$/);
  } finally {
    process.argv.splice(2, 3, ...before);
    vi.restoreAllMocks();
    await endAll(join(dir, "h"));
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});
