import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type DiffRequest, workspaces } from "../src/index.js";
import { openFolder } from "./repository.js";
import { ENV, openFixture, openMade, treeHash, type WorkspaceFixture, write } from "./workspace-fixture.js";

const ALL = { base: null, turn: null, paths: [], stat: false, exact: false, limit: 300, cursor: null } as const;

function diff(fixture: WorkspaceFixture, request: Partial<DiffRequest> & { readonly directory: string }) {
  return fixture.spaces.diff({ ...ALL, fork: null, ...request });
}

describe("workspace diff", { timeout: 120_000 }, () => {
  test("includes committed, staged, changed and untracked files but no ignored ones, and modifies nothing", async () => {
    const { fixture, workspace } = await openMade("worktree");
    using _ = fixture;
    const { path } = workspace;
    write(join(path, "committed.txt"), "a\nb\n");
    fixture.git(path, "add", ".");
    fixture.git(path, "commit", "--quiet", "-m", "work");
    write(join(path, "staged.txt"), "c\n");
    fixture.git(path, "add", "staged.txt");
    write(join(path, "file.txt"), "one\ntwo\n");
    write(join(path, "new/deep.txt"), "d\n");
    write(join(path, "a.secret"), "s\n");
    const before = [treeHash(fixture.source.path), treeHash(path)];
    const fork = { commit: workspace.base, ref: workspace.base_ref, remote: null };
    const seen = await diff(fixture, { directory: join(path, "new"), fork });
    expect(seen).toMatchObject({
      top: path,
      base: { commit: workspace.base, found: "fork_point" },
      head: { branch: "tmpm/demo" },
      total: { files: 4, added: 5, removed: 0 },
      next: null,
      notes: [],
    });
    expect(seen.files.map((file) => [file.path, file.status, file.added, file.removed])).toEqual([
      ["committed.txt", "added", 2, 0],
      ["file.txt", "modified", 1, 0],
      ["new/deep.txt", "added", 1, 0],
      ["staged.txt", "added", 1, 0],
    ]);
    expect(seen.files[1]?.patch).toContain("@@ -1 +1,2 @@\n one\n+two\n");
    expect([treeHash(fixture.source.path), treeHash(path)]).toEqual(before);
    const named = await diff(fixture, { directory: path, fork, paths: ["./new/", "file.txt"], stat: true });
    expect(named.files.map((file) => [file.path, file.patch])).toEqual([
      ["file.txt", null],
      ["new/deep.txt", null],
    ]);
  });

  test("reports renames, modes, links, submodules and binary files, under any name", async () => {
    const { fixture, workspace } = await openMade("worktree");
    using _ = fixture;
    const { path } = workspace;
    const long = Array.from({ length: 40 }, (__, line) => `line ${line}\n`).join("");
    write(join(path, "old name.txt"), long);
    write(join(path, "script"), "#!/bin/sh\n");
    write(join(path, "gone.txt"), "x\n");
    write(join(path, "becomes-link"), "y\n");
    fixture.git(path, "add", ".");
    fixture.git(path, "commit", "--quiet", "-m", "start");
    const commit = fixture.git(path, "rev-parse", "HEAD").trim();
    renameSync(join(path, "old name.txt"), join(path, "new\nname.txt"));
    chmodSync(join(path, "script"), 0o755);
    unlinkSync(join(path, "gone.txt"));
    unlinkSync(join(path, "becomes-link"));
    symlinkSync("file.txt", join(path, "becomes-link"));
    writeFileSync(join(path, "picture.bin"), Buffer.from([0, 1, 2, 255]));
    writeFileSync(Buffer.from(`${path}/caf\xe9\ndiff --git x`, "latin1"), "bytes\n");
    fixture.git(path, "-c", "protocol.file.allow=always", "clone", "--quiet", fixture.source.path, "module");
    const seen = await diff(fixture, { directory: path, fork: { commit, ref: null, remote: null } });
    const files = new Map(seen.files.map((file) => [file.path, file]));
    expect([...files.keys()].sort()).toEqual(
      ["becomes-link", "caf\ufffd\ndiff --git x", "gone.txt", "module", "new\nname.txt", "picture.bin", "script"].sort(),
    );
    expect(files.get("new\nname.txt")).toMatchObject({ status: "renamed", from: "old name.txt", path_bytes: null });
    expect(files.get("script")).toMatchObject({ status: "modified", old_mode: "100644", new_mode: "100755", added: 0 });
    expect(files.get("becomes-link")).toMatchObject({ status: "type_changed", new_mode: "120000" });
    expect(files.get("becomes-link")?.patch?.match(/^diff --git /gm)).toHaveLength(2);
    expect(files.get("gone.txt")).toMatchObject({ status: "deleted", new_mode: null, removed: 1 });
    expect(files.get("picture.bin")).toMatchObject({ binary: true, added: null });
    expect(files.get("module")).toMatchObject({ submodule: true, status: "added" });
    expect(files.get("module")?.patch).toContain("+Subproject commit");
    const odd = files.get("caf\ufffd\ndiff --git x");
    expect(Buffer.from(odd?.path_bytes ?? "", "base64").toString("latin1")).toBe("caf\xe9\ndiff --git x");
    expect(odd?.patch).toContain("+bytes\n");
  });

  test("is paged, and one oversized file does not fill a page", async () => {
    const { fixture, workspace } = await openMade("worktree");
    using _ = fixture;
    const { path } = workspace;
    for (const name of ["a", "b", "c", "d", "e"]) write(join(path, name), `${name}\n`);
    write(join(path, "huge"), "x\n".repeat(1_500_000));
    const fork = { commit: workspace.base, ref: null, remote: null };
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const page = await diff(fixture, { directory: path, fork, limit: 2, cursor });
      expect(page.total.files).toBe(6);
      pages.push(page.files.map((file) => `${file.path}${file.too_large ? "!" : ""}${file.patch === null ? "" : "+"}`));
      cursor = page.next;
    } while (cursor !== null);
    expect(pages).toEqual([
      ["a+", "b+"],
      ["c+", "d+"],
      ["e+", "huge!"],
    ]);
    await expect(diff(fixture, { directory: path, cursor: "~" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("excludes commits from a rebase, and accepts any base", async () => {
    const { fixture, workspace } = await openMade("worktree");
    using _ = fixture;
    const { path } = workspace;
    write(join(path, "mine.txt"), "m\n");
    fixture.git(path, "add", ".");
    fixture.git(path, "commit", "--quiet", "-m", "mine");
    write(join(fixture.source.path, "theirs.txt"), "t\n");
    fixture.source.git("add", ".");
    fixture.source.git("commit", "--quiet", "-m", "theirs");
    fixture.git(path, "rebase", "--quiet", "main");
    const fork = { commit: workspace.base, ref: "refs/heads/main", remote: null };
    const seen = await diff(fixture, { directory: path, fork });
    expect(seen.base).toMatchObject({ found: "merge_base", commit: fixture.source.git("rev-parse", "main").trim() });
    expect(seen.files.map((file) => file.path)).toEqual(["mine.txt"]);
    const asked = await diff(fixture, { directory: path, fork, base: "main~1" });
    expect(asked.files.map((file) => file.path)).toEqual(["mine.txt", "theirs.txt"]);
    await expect(diff(fixture, { directory: path, fork, base: "nothing" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(
      diff(fixture, { directory: path, fork: { ...fork, commit: "0123456789012345678901234567890123456789" } }),
    ).rejects.toMatchObject({
      code: "GIT_FAILED",
      hint: expect.stringContaining("--base"),
    });
  });

  test("runs no program configured in the repository", async () => {
    using fixture = openFixture();
    const { path } = fixture.source;
    const ran = join(fixture.below, "ran");
    const program = fixture.source.script("../program", `echo ran >> ${ran}; cat`);
    writeFileSync(join(path, ".gitattributes"), "*.txt diff=x filter=x\n");
    for (const key of [
      "diff.external",
      "diff.x.textconv",
      "diff.x.command",
      "core.pager",
      "pager.diff",
      "filter.x.clean",
      "core.fsmonitor",
    ])
      fixture.source.git("config", key, program);
    writeFileSync(join(path, "file.txt"), "changed\n");
    const seen = await diff(fixture, { directory: path });
    expect(seen.files.map((file) => file.path)).toEqual([".gitattributes", "file.txt"]);
    expect(seen.files[1]?.patch).toContain("+changed");
    expect(() => readFileSync(ran)).toThrow("ENOENT");
  });

  test("includes everything before the first commit, and is rejected outside a work tree", async () => {
    using fixture = openFixture();
    const path = join(fixture.below, "empty");
    mkdirSync(path);
    fixture.git(path, "init", "--quiet");
    write(join(path, "a.txt"), "a\n");
    const seen = await diff(fixture, { directory: path, fork: { commit: null, ref: "refs/heads/main", remote: null } });
    expect(seen.files.map((file) => file.path)).toEqual(["a.txt"]);
    await expect(diff(fixture, { directory: join(fixture.below, "origin.git") })).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
    rmSync(join(path, ".git"), { recursive: true });
    await expect(diff(fixture, { directory: path })).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
  });

  test("omits files outside a sparse checkout, and shows conflicts as they are", async () => {
    const { fixture, workspace } = await openMade("worktree");
    using _ = fixture;
    const { path } = workspace;
    write(join(path, "in/a.txt"), "a\n");
    write(join(path, "out/b.txt"), "b\n");
    fixture.git(path, "add", ".");
    fixture.git(path, "commit", "--quiet", "-m", "two");
    const commit = fixture.git(path, "rev-parse", "HEAD").trim();
    fixture.git(path, "sparse-checkout", "set", "in");
    write(join(path, "in/a.txt"), "changed\n");
    const sparse = await diff(fixture, { directory: path, fork: { commit, ref: null, remote: null } });
    expect(sparse.files.map((file) => file.path)).toEqual(["in/a.txt"]);
    fixture.git(path, "commit", "--quiet", "-am", "mine");
    fixture.git(path, "checkout", "--quiet", "-b", "other", commit);
    write(join(path, "in/a.txt"), "theirs\n");
    fixture.git(path, "commit", "--quiet", "-am", "theirs");
    expect(() => fixture.git(path, "merge", "--quiet", "tmpm/demo")).toThrow();
    const conflicted = await diff(fixture, { directory: path, fork: { commit, ref: null, remote: null } });
    expect(conflicted.files[0]?.patch).toContain("+<<<<<<< HEAD");
    expect(fixture.git(path, "status", "--porcelain")).toContain("UU in/a.txt");
  });

  test("ignores the user's settings of git diff, and files of which only the time changed", async () => {
    using fixture = openFixture();
    const { path } = fixture.source;
    write(join(path, "b.txt"), "b\n");
    write(join(path, "picture"), "\0picture\n");
    fixture.source.git("add", ".");
    fixture.source.git("commit", "--quiet", "-m", "more");
    write(join(path, "a/new.txt"), "n\n");
    write(join(path, "b.txt"), "changed\n");
    fixture.git(path, "clone", "--quiet", path, "module");
    fixture.git(path, "add", "module");
    fixture.git(path, "commit", "--quiet", "-m", "module");
    fixture.git(join(path, "module"), "commit", "--quiet", "--allow-empty", "-m", "ahead");
    utimesSync(join(path, "file.txt"), 1, 1);
    utimesSync(join(path, "picture"), 1, 1);
    const fork = { commit: fixture.source.git("rev-parse", "HEAD").trim(), ref: null, remote: null };
    const before = await diff(fixture, { directory: path, fork });
    expect(before.files.map((file) => [file.path, file.added, file.removed])).toEqual([
      ["a/new.txt", 1, 0],
      ["b.txt", 1, 1],
      ["module", 1, 1],
    ]);
    for (const setting of [
      "diff.orderFile=nothing",
      "diff.relative=true",
      "diff.noprefix=true",
      "diff.autoRefreshIndex=false",
      "diff.ignoreSubmodules=all",
      "diff.submodule=log",
      "diff.context=0",
      "core.safecrlf=true",
      "color.ui=always",
    ])
      fixture.git(path, "config", ...setting.split("="));
    expect(await diff(fixture, { directory: join(path, "a"), fork })).toEqual(before);
  });

  test("compares what git would store, and sizes that the user's filters give", async () => {
    using home = openFolder();
    using fixture = openFixture();
    const { path } = fixture.source;
    writeFileSync(join(home.path, ".gitconfig"), '[filter "short"]\n\tclean = head -c 20\n\tsmudge = cat\n');
    write(join(path, ".gitattributes"), "*.big filter=short\n*.crlf text eol=crlf\n");
    write(join(path, "a.crlf"), "one\n");
    fixture.source.git("add", ".");
    fixture.source.git("commit", "--quiet", "-m", "attributes");
    write(join(path, "a.crlf"), "one\r\n");
    write(join(path, "huge.big"), "0123456789\n".repeat(300_000));
    write(join(path, "huge.raw"), "0123456789\n".repeat(300_000));
    const spaces = workspaces({ home: home.path, env: { ...ENV, HOME: home.path }, inspectMs: 60_000, lookMs: 60_000 });
    const { files } = await spaces.diff({ ...ALL, fork: null, directory: path });
    expect(files.map((file) => [file.path, file.added, file.too_large])).toEqual([
      ["huge.big", 2, false],
      ["huge.raw", 300_000, true],
    ]);
    expect(files[0]?.patch).toContain("+0123456789\n+012345678\n");
  });

  test("reports what git cannot read, and shows the rest", async () => {
    using fixture = openFixture();
    const { path } = fixture.source;
    fixture.git(path, "init", "--quiet", "nested");
    write(join(path, "file.txt"), "changed\n");
    const { files, notes } = await diff(fixture, { directory: path });
    expect(files.map((file) => file.path)).toEqual(["file.txt"]);
    expect(notes).toEqual([expect.stringContaining("some of it could not be read: 'nested/'")]);
  });

  test("shows a hidden file as in the index, and exact contents, during rename detection", async () => {
    using fixture = openFixture();
    const { path } = fixture.source;
    for (const name of ["hidden", "gone"]) write(join(path, name), `${name}\n`);
    fixture.source.git("add", ".");
    fixture.source.git("commit", "--quiet", "-m", "files");
    const fork = { commit: fixture.source.git("rev-parse", "HEAD").trim(), ref: null, remote: null };
    write(join(path, "hidden"), "in the index\n");
    fixture.source.git("commit", "--quiet", "--all", "-m", "hidden");
    fixture.source.git("update-index", "--skip-worktree", "hidden");
    fixture.source.git("config", "core.ignoreStat", "true");
    write(join(path, "hidden"), "in the work tree\n");
    rmSync(join(path, "gone"));
    write(join(path, "new"), "something else\n");
    fixture.git(path, "clone", "--quiet", path, "module");
    const { files } = await diff(fixture, { directory: path, fork });
    const lines = files.map((file) => [file.path, file.patch?.split("\n").filter((line) => /^[+-](?![+-])/.test(line))]);
    expect(lines).toEqual([
      ["gone", ["-gone"]],
      ["hidden", ["-hidden", "+in the index"]],
      ["module", [`+Subproject commit ${fixture.source.git("rev-parse", "HEAD").trim()}`]],
      ["new", ["+something else"]],
    ]);
  });

  test("stores no content of changed files", async () => {
    using fixture = openFixture();
    using home = openFolder();
    const { path } = fixture.source;
    const listed = join(home.path, "listed");
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const count = '[ -z "$GIT_OBJECT_DIRECTORY" ] || find "$GIT_OBJECT_DIRECTORY" -type f | wc -l >>';
    home.script("git", `'${real}' "$@"\ncode=$?\n${count} '${listed}'\nexit $code`);
    for (let index = 0; index < 20; index++) write(join(path, `new-${index}`), `${index}\n`);
    const spaces = workspaces({ home: home.path, env: { ...ENV, PATH: `${home.path}:${ENV.PATH}` }, inspectMs: 60_000, lookMs: 60_000 });
    const { total } = await spaces.diff({ ...ALL, fork: null, directory: path });
    expect(total).toMatchObject({ files: 20, added: 20 });
    // The empty blob, and the tree that the patches are compared with.
    expect(Math.max(...readFileSync(listed, "utf8").trim().split("\n").map(Number))).toBeLessThanOrEqual(2);
  });
});
