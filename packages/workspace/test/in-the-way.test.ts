import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Bench, bench, users } from "./finish-bench.js";
import { write } from "./workspace-fixture.js";

function ignoring(on: Bench, ...patterns: readonly string[]): void {
  write(join(on.fixture.source.path, ".git", "info", "exclude"), patterns.map((pattern) => `${pattern}\n`).join(""));
}

describe("an ignored file of the checkout", { timeout: 120_000 }, () => {
  test.each([
    ["that the work adds", ".env", ".env", ".env"],
    ["in the place of a folder that the work adds", "made", "made", "made/deep/a.txt"],
    ["in a folder of a tracked file that becomes a file", "kept/private", "kept/private", "kept"],
  ])("%s blocks a finish and its preview", async (_, pattern, ignored, added) => {
    using on = await bench();
    on.theirs("kept/a.txt", "a\n");
    on.fixture.git(on.workspace.path, "merge", "--quiet", "main");
    on.fixture.git(on.workspace.path, "rm", "-r", "--quiet", "kept");
    on.work(added, "of the agent\n");
    ignoring(on, pattern);
    write(join(on.fixture.source.path, ignored), "secret\n");
    const before = users(on.fixture);
    const block = { code: "checkout_in_the_way", message: expect.stringContaining(added.split("/")[0] ?? "") };
    expect((await on.fixture.spaces.previewFinish(on.request("merge"))).blocks).toMatchObject([block]);
    await expect(on.finish("merge")).rejects.toMatchObject({ code: "FINISH_REFUSED", details: { blocks: [block] } });
    expect(users(on.fixture)).toEqual(before);
  });

  test("unrelated to the work is kept when a tracked folder becomes a file", async () => {
    using on = await bench();
    on.theirs("kept/deep/a.txt", "a\n");
    on.fixture.git(on.workspace.path, "merge", "--quiet", "main");
    on.fixture.git(on.workspace.path, "rm", "-r", "--quiet", "kept");
    on.work("kept", "a file now\n");
    ignoring(on, ".env");
    write(join(on.fixture.source.path, ".env"), "secret\n");
    await on.finish("merge");
    expect([".env", "kept"].map((name) => readFileSync(join(on.fixture.source.path, name), "utf8"))).toEqual(["secret\n", "a file now\n"]);
  });
});
