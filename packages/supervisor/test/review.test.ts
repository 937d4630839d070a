import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { workshop } from "./workshop.js";

describe("the changes of a session", { timeout: 240_000 }, () => {
  test("are those of its own directory since it started, also of one that it was given", async () => {
    using shop = workshop({ "a.txt": "a\n" });
    const own = await shop.sessions.create({ agent: "shell", cwd: shop.repository, worktree: true, name: "own" });
    await shop.sessions.create({ agent: "shell", cwd: shop.repository, name: "here" });
    writeFileSync(join(own.session.record.cwd, "own.txt"), "o\n");
    writeFileSync(join(shop.repository, "a.txt"), "b\n");
    shop.git(shop.repository, "commit", "--quiet", "-am", "second");
    await shop.sessions.rename({ session: "here", name: "there" });
    const files = async (session: string) => (await shop.sessions.diff({ session })).files.map(({ path }) => path);
    expect(await files("own")).toEqual(["own.txt"]);
    expect(await files("there")).toEqual(["a.txt"]);
    expect((await shop.sessions.diff({ session: "own", base: "main" })).files.map(({ path, status }) => [path, status])).toEqual([
      ["a.txt", "modified"],
      ["own.txt", "added"],
    ]);
  });

  test("cannot be told where there is no repository or no directory", async () => {
    using shop = workshop();
    await shop.sessions.create({ agent: "shell", cwd: shop.home, name: "plain" });
    await expect(shop.sessions.diff({ session: "plain" })).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
    const own = await shop.sessions.create({ agent: "shell", cwd: shop.repository, worktree: true, name: "own" });
    rmSync(own.session.record.cwd, { recursive: true });
    await expect(shop.sessions.diff({ session: "own" })).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
  });
});
