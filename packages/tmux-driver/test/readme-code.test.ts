import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";

test.each(["readme-tour.ts", "readme.test.ts"])("the README shows %s as it runs", async (name) => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
  expect(await read("../README.md")).toContain(`\`\`\`ts\n${await read(name)}\`\`\``);
});

test("the README tour runs", { timeout: 60_000 }, async () => {
  const dir = await mkdtemp(join(tmpdir(), "tmpm-"));
  const printed: unknown[][] = [];
  vi.spyOn(console, "log").mockImplementation((...words) => void printed.push(words));
  const argument = process.argv[2];
  process.argv[2] = dir;
  try {
    await import("./readme-tour.js");
    expect(printed).toContainEqual(["output:", "screen", 0]);
    expect(printed).toContainEqual(["event:", "look"]);
    expect(printed).toContainEqual([[{ tmuxName: "demo", command: "sh", viewers: 0 }]]);
    expect(printed).toContainEqual([["ready> echo 'hello;'", "hello;", "ready>"]]);
    expect(printed).toContainEqual([expect.objectContaining({ survivors: [] })]);
  } finally {
    process.argv[2] = argument ?? "";
    vi.restoreAllMocks();
    await promisify(execFile)("tmux", ["-S", join(dir, "tmux.sock"), "kill-server"]);
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});
