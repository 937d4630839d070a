import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agents, type SeedFile } from "@tmpm/agents";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { seedFiles } from "../src/seed-files.js";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tmpm-seed-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const appending = (path: string, text: string): SeedFile => ({ path, merge: (current) => `${current ?? ""}${text}` });

describe("a user's files are seeded", () => {
  test("with their rights kept, through a link, and new ones for their owner alone", async () => {
    const real = join(home, "real.json");
    writeFileSync(real, "a", { mode: 0o640 });
    symlinkSync(real, join(home, "link.json"));
    await seedFiles([appending(join(home, "link.json"), "b"), appending(join(home, "new/deep.json"), "c")]);
    expect(readFileSync(real, "utf8")).toBe("ab");
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(statSync(join(home, "new/deep.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(home).sort()).toEqual(["link.json", "new", "real.json"]);
  });

  test("not at all when there is nothing to add", async () => {
    const path = join(home, "kept.json");
    writeFileSync(path, "a");
    const before = statSync(path);
    await seedFiles([{ path, merge: () => null }]);
    expect(statSync(path).ino).toBe(before.ino);
  });

  test.each(["claude", "codex", "gemini"])("by %s's own rules, twice the same as once, with what the user had", async (id) => {
    const adapter = agents().find(id);
    const files = () => adapter.seed?.({ cwd: "/home/me/proj", env: { HOME: home }, trust: true }) ?? [];
    await seedFiles(files());
    const once = files().map(({ path }) => readFileSync(path, "utf8"));
    expect(once.join("")).toContain("/home/me/proj");
    await seedFiles(files());
    expect(files().map(({ path }) => readFileSync(path, "utf8"))).toEqual(once);
  });
});
