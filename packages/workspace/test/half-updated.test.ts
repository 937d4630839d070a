import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Workspaces, workspaces } from "../src/index.js";
import { type Bench, bench, sound, users } from "./finish-bench.js";
import { ENV, write } from "./workspace-fixture.js";

const LARGE = "0123456789abcdef\n".repeat(20_000);

/** Paths before and after `m.odd` change, appear and disappear. */
async function changed(): Promise<Bench & Disposable> {
  const on = await bench();
  const main = on.fixture.source.path;
  const commit = (path: string, message: string) => {
    on.fixture.git(path, "add", "--all");
    on.fixture.git(path, "commit", "--quiet", "-m", message);
  };
  const before = { ".gitattributes": "*.odd filter=odd\n", "a.txt": "a\n", "gone/b.txt": "b\n", "m.odd": "old\n", turned: "file\n" };
  for (const [name, text] of Object.entries({ ...before, "z.txt": "z\n", "run.sh": "#!/bin/sh\n" })) write(join(main, name), text);
  commit(main, "common");
  const { path } = on.workspace;
  on.fixture.git(path, "reset", "--quiet", "--hard", "main");
  on.fixture.git(path, "rm", "--quiet", "gone/b.txt", "turned");
  const after = { "a.txt": "another a\n", "made/deep/c.txt": "c\n", "m.odd": "new FAIL\n", "turned/inside.txt": "i\n", "z.txt": LARGE };
  for (const [name, text] of Object.entries(after)) write(join(path, name), text);
  writeFileSync(Buffer.from(`${path}/caf\xe9\nname`, "latin1"), "bytes\n");
  chmodSync(join(path, "run.sh"), 0o755);
  commit(path, "work");
  return on;
}

/** A filter of the user's that runs a script, with the content as its input, when a file is written. */
function smudgeBy(on: Bench, script: string): void {
  on.fixture.source.script("smudge", script);
  on.fixture.source.git("config", "filter.odd.smudge", join(on.fixture.below, "smudge"));
  on.fixture.source.git("config", "filter.odd.clean", "cat");
  on.fixture.source.git("config", "filter.odd.required", "true");
}

/** Without times of files, which git keeps in its index. */
function seen(on: Bench) {
  const { index, ...rest } = users(on.fixture);
  return { ...rest, refs: rest.refs.filter((ref) => !ref.includes("/ORIG_HEAD")), status: on.fixture.source.git("status", "--porcelain") };
}

async function prepared(on: Bench) {
  const { move } = await on.fixture.spaces.composeFinish(on.request("squash"));
  return { move, before: seen(on) };
}

function limited(on: Bench, options: { readonly checkoutMs?: number; readonly path?: string }): Workspaces {
  const env = options.path === undefined ? ENV : { ...ENV, PATH: `${options.path}:${ENV.PATH}` };
  return workspaces({
    home: on.fixture.home,
    userHome: join(on.fixture.below, "user"),
    env,
    ...(options.checkoutMs === undefined ? {} : { checkoutMs: options.checkoutMs }),
  });
}

describe("a checkout whose update fails halfway", { timeout: 240_000 }, () => {
  test("is restored when a filter fails", async () => {
    using on = await changed();
    const { move, before } = await prepared(on);
    smudgeBy(on, `text=$(cat); case $text in *FAIL*) exit 1; esac; printf '%s\\n' "$text"`);
    await expect(on.fixture.spaces.moveTarget({ ...move, why: "test" })).rejects.toMatchObject({ code: "GIT_FAILED", effect: "none" });
    expect(seen(on)).toEqual(before);
    expect(existsSync(join(on.fixture.source.path, "made"))).toBe(false);
    smudgeBy(on, "cat");
    await on.fixture.spaces.moveTarget({ ...move, why: "test" });
    expect(on.fixture.source.git("status", "--porcelain")).toBe("");
    sound(on.fixture);
  });

  test("is restored when a filter hangs, and no lock of its index remains", async () => {
    using on = await changed();
    const { move, before } = await prepared(on);
    smudgeBy(on, `text=$(cat); case $text in *FAIL*) sleep 300; esac; printf '%s\\n' "$text"`);
    const spaces = limited(on, { checkoutMs: 5_000 });
    await expect(spaces.moveTarget({ ...move, why: "test" })).rejects.toMatchObject({ code: "GIT_FAILED", effect: "none" });
    expect(seen(on)).toEqual(before);
    expect(existsSync(join(on.fixture.source.path, ".git", "index.lock"))).toBe(false);
  });

  test("is restored when a file cannot be written completely", async () => {
    using on = await changed();
    const { move, before } = await prepared(on);
    const bin = join(on.fixture.below, "bin");
    mkdirSync(bin);
    const git = on.fixture.source.git("--exec-path").trim();
    // A write beyond the limit fails like one to a full disk.
    const limit = `case "$*" in *" read-tree -m -u "*) trap '' XFSZ; ulimit -f 64; esac`;
    on.fixture.source.script("bin/git", `${limit}\nexec '${git}/git' "$@"`);
    const spaces = limited(on, { path: bin });
    await expect(spaces.moveTarget({ ...move, why: "test" })).rejects.toMatchObject({
      code: "GIT_FAILED",
      effect: "none",
      message: expect.stringContaining("z.txt"),
    });
    expect(seen(on)).toEqual(before);
  });

  test("names what cannot be restored, and restores the rest", async () => {
    using on = await changed();
    const { move, before } = await prepared(on);
    smudgeBy(on, "exit 1");
    await expect(on.fixture.spaces.moveTarget({ ...move, why: "test" })).rejects.toMatchObject({
      code: "GIT_FAILED",
      effect: "unknown",
      message: expect.stringContaining('"m.odd"'),
      details: { paths: ["m.odd"], count: 1 },
    });
    expect(on.fixture.source.git("status", "--porcelain")).toBe(" D m.odd\n");
    smudgeBy(on, "cat");
    on.fixture.source.git("checkout", "--quiet", "--", "m.odd");
    expect(seen(on)).toEqual(before);
  });

  test("keeps changes that the user makes in the meantime", async () => {
    using on = await changed();
    const { move } = await prepared(on);
    const main = on.fixture.source.path;
    const mine = `echo mine > '${main}/a.txt'; mkdir -p '${main}/made/deep'; echo mine > '${main}/made/deep/c.txt'`;
    smudgeBy(on, `text=$(cat); case $text in *FAIL*) ${mine}; exit 1; esac; printf '%s\\n' "$text"`);
    await expect(on.fixture.spaces.moveTarget({ ...move, why: "test" })).rejects.toMatchObject({
      effect: "unknown",
      details: { paths: ["a.txt", "made/deep/c.txt"] },
    });
    for (const name of ["a.txt", "made/deep/c.txt"]) expect(readFileSync(join(main, name), "utf8")).toBe("mine\n");
    expect(on.fixture.source.git("status", "--porcelain")).toBe(" M a.txt\n?? made/\n");
    expect(on.main()).toBe(move.from);
  });

  test("is completed after a crash in the middle of it", async () => {
    using on = await changed();
    const { move } = await prepared(on);
    const main = on.fixture.source.path;
    await on.fixture.killedAt("workspace.target_moved", (spaces) => spaces.moveTarget({ ...move, why: "test" }));
    write(join(main, "a.txt"), "another a\n");
    write(join(main, "made", "deep", "c.txt"), "c\n");
    await on.fixture.spaces.moveTarget({ ...move, why: "test" });
    expect(on.fixture.source.git("status", "--porcelain")).toBe("");
    expect(readFileSync(join(main, "z.txt"), "utf8")).toBe(LARGE);
  });
});
