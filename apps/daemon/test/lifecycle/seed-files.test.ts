import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agents, type SeedFile } from "@tmpm/agents";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { seedFiles } from "../../src/lifecycle/seed-files.js";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tmpm-seed-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const appending = (path: string, text: string): SeedFile => ({ path, merge: (current) => `${current ?? ""}${text}` });

describe("seeding the user's configuration files", () => {
  test("files keep their permissions and symbolic links, and new ones are private", async () => {
    const real = join(home, "real.json");
    writeFileSync(real, "a", { mode: 0o640 });
    symlinkSync(real, join(home, "link.json"));
    await seedFiles([appending(join(home, "link.json"), "b"), appending(join(home, "new/deep.json"), "c")]);
    expect(readFileSync(real, "utf8")).toBe("ab");
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(statSync(join(home, "new/deep.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(home).sort()).toEqual(["link.json", "new", "real.json"]);
  });

  test("sessions that start at once lose none of each other's additions, by whatever path", async () => {
    const real = join(home, "real.json");
    writeFileSync(real, "");
    symlinkSync(real, join(home, "link.json"));
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    await Promise.all(letters.map((letter, n) => seedFiles([appending(join(home, n % 2 === 0 ? "real.json" : "link.json"), letter)])));
    expect([...readFileSync(real, "utf8")].sort()).toEqual(letters);
  });

  test("a failure leaves no temporary file", async () => {
    const path = join(home, "taken.json");
    const taken: SeedFile = {
      path,
      merge() {
        mkdirSync(path);
        return "text";
      },
    };
    await expect(seedFiles([taken])).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
    expect(readdirSync(home)).toEqual(["taken.json"]);
  });

  test("nothing is written when there is nothing to add", async () => {
    const path = join(home, "kept.json");
    writeFileSync(path, "a");
    const before = statSync(path);
    await seedFiles([{ path, merge: () => null }]);
    expect(statSync(path).ino).toBe(before.ino);
  });

  test.each(["claude", "codex", "gemini"])(
    "%s merges with the user's content by its own rules, and twice is the same as once",
    async (id) => {
      const adapter = agents().find(id);
      const files = () => adapter.seed?.({ cwd: "/home/me/proj", env: { HOME: home }, trust: true }) ?? [];
      await seedFiles(files());
      const once = files().map(({ path }) => readFileSync(path, "utf8"));
      expect(once.join("")).toContain("/home/me/proj");
      await seedFiles(files());
      expect(files().map(({ path }) => readFileSync(path, "utf8"))).toEqual(once);
    },
  );
});
