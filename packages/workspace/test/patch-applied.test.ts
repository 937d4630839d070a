import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFixture, type WorkspaceFixture } from "./workspace-fixture.js";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "1" } = process.env;
const ROUNDS = 2 * Number(TMPM_TEST_SCALE);

test("`git apply` of an exact patch on the base gives the work tree", { timeout: 3_600_000 }, async () => {
  using fixture = openFixture();
  const { source } = fixture;
  const random = randomFrom(Number(TMPM_TEST_SEED));
  for (let round = 0; round < ROUNDS; round++) {
    for (let count = 0; count < 20; count++) change(source.path, random);
    source.git("add", "--all");
    source.git("commit", "--quiet", "--allow-empty", "-m", "base");
    const commit = source.git("rev-parse", "HEAD").trim();
    const done = Array.from({ length: 30 }, () => change(source.path, random));
    if (random(2) === 0) source.git("add", "--all");
    if (random(3) === 0) source.git("commit", "--quiet", "--allow-empty", "-m", "work");
    const patch = await patchOf(fixture, { commit, limit: 5 + random(20) });
    const applied = join(fixture.below, `applied-${round}`);
    source.git("worktree", "add", "--quiet", "--detach", applied, commit);
    const file = join(fixture.below, "patch");
    writeFileSync(file, patch);
    if (patch.length > 0) fixture.git(applied, "apply", "--whitespace=nowarn", file);
    expect([done, treeOf(fixture, applied)]).toEqual([done, treeOf(fixture, source.path)]);
  }
});

test("an exact patch includes files of up to 16 MiB", { timeout: 120_000 }, async () => {
  using fixture = openFixture();
  const { source } = fixture;
  const random = randomFrom(1);
  const part = Buffer.from(Array.from({ length: 64 * 1024 }, () => random(256)));
  const content = Buffer.concat(Array.from({ length: 48 }, () => part));
  writeFileSync(join(source.path, "large"), content);
  writeFileSync(join(source.path, "too large"), Buffer.alloc(16 * 1024 * 1024 + 1));
  const commit = source.git("rev-parse", "HEAD").trim();
  const request = { ...REQUEST, directory: source.path, fork: { commit, ref: null, remote: null } };
  const shown = await fixture.spaces.diff(request);
  expect(shown.files.map(({ too_large }) => too_large)).toEqual([true, true]);
  const first = await fixture.spaces.diff({ ...request, exact: true });
  const second = await fixture.spaces.diff({ ...request, exact: true, cursor: first.next });
  expect([first, second].map(({ files }) => files.map(({ path, too_large }) => [path, too_large]))).toEqual([
    [["large", false]],
    [["too large", true]],
  ]);
  const applied = join(fixture.below, "applied");
  source.git("worktree", "add", "--quiet", "--detach", applied, commit);
  const file = join(fixture.below, "patch");
  writeFileSync(file, first.files[0]?.patch ?? "");
  fixture.git(applied, "apply", file);
  expect(readFileSync(join(applied, "large")).equals(content)).toBe(true);
});

test("a patch with bytes that are not UTF-8 is sent once, and the version of a page changes with the contents of any file", async () => {
  using fixture = openFixture();
  const { source, spaces } = fixture;
  const commit = source.git("rev-parse", "HEAD").trim();
  for (const name of ["a", "b", "c"]) writeFileSync(join(source.path, name), `${name}\n`);
  writeFileSync(join(source.path, "b"), Buffer.from("caf\xe9\n", "latin1"));
  const request = { ...REQUEST, directory: source.path, fork: { commit, ref: null, remote: null }, exact: true };
  const whole = await spaces.diff(request);
  expect([whole.next, whole.version]).toEqual([null, undefined]);
  expect(whole.files.map(({ path, patch, patch_bytes }) => [path, patch === null, patch_bytes === null])).toEqual([
    ["a", false, true],
    ["b", true, false],
    ["c", false, true],
  ]);
  const [, shown] = (await spaces.diff({ ...request, exact: false })).files;
  expect([shown?.patch?.includes("caf\ufffd"), shown?.patch_bytes]).toEqual([true, whole.files[1]?.patch_bytes]);
  const page = (cursor: string | null) => spaces.diff({ ...request, limit: 1, cursor });
  const first = await page(null);
  const second = await page(first.next);
  const third = await page(second.next);
  expect([second.version, third.version, third.next]).toEqual([first.version, first.version, null]);
  writeFileSync(join(source.path, "a"), "A\n");
  const changed = await page(first.next);
  expect(changed.total).toEqual(first.total);
  expect(changed.version).not.toBe(first.version);
});

const REQUEST = { base: null, turn: null, paths: [], stat: false, exact: false, limit: 1_000, cursor: null } as const;

/** All pages. */
async function patchOf(
  { spaces, source }: WorkspaceFixture,
  { commit, limit }: { readonly commit: string; readonly limit: number },
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let cursor: string | null = null;
  do {
    const fork = { commit, ref: null, remote: null };
    const page: Awaited<ReturnType<typeof spaces.diff>> = await spaces.diff({
      ...REQUEST,
      ...{ exact: true, directory: source.path, fork, limit, cursor },
    });
    parts.push(
      ...page.files.map(({ patch, patch_bytes }) => (patch_bytes === null ? Buffer.from(patch ?? "") : Buffer.from(patch_bytes, "base64"))),
    );
    cursor = page.next;
  } while (cursor !== null);
  return Buffer.concat(parts);
}

function treeOf({ git }: WorkspaceFixture, directory: string): string {
  git(directory, "add", "--all");
  return git(directory, "ls-files", "--stage");
}

type Random = (below: number) => number;

/** mulberry32 */
function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Names as bytes, one in each character: also a folder's as a file's, and the reverse. */
const NAMES = [
  ...["plain.txt", "a", "a/deep/file", "a-b", "two words", "new\nline", 'quo"te', "back\\slash", "tab\there", " lead", "trail "],
  ...["caf\xe9", "\xc3\xa9", "\xef\xbf\xbd", "\xef\xbb\xbfmark", "-dash", "diff --git a/x b/x", "dir/same", "dir2/same", "\x01control"],
];

function contentOf(random: Random): Buffer {
  const line = () => `line ${random(1000)} ${"x".repeat(random(40))}`;
  const lines = Array.from({ length: 1 + random(60) }, line).join("\n");
  switch (random(9)) {
    case 0:
      return Buffer.alloc(0);
    case 1:
      return Buffer.from(Array.from({ length: 1 + random(5000) }, () => random(256)));
    case 2:
      return Buffer.from(`${lines}\ncaf\xe9 \xff\xfe\n`, "latin1");
    case 3:
      return Buffer.from(`${lines}\n\ufffd \u2028 \ufeff\n`);
    case 4:
      return Buffer.from(lines);
    case 5:
      return Buffer.from(`${lines.replaceAll("\n", "\r\n")}\r\n`);
    case 6:
      return Buffer.from(`\ufeff${lines}\n\n\n`);
    case 7:
      return Buffer.from("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n");
    default:
      return Buffer.from(`${lines}\n`);
  }
}

/** One random change in a work tree, and its description. */
function change(root: string, random: Random): string {
  const at = (name: string) => Buffer.from(`${root}/${name}`, "latin1");
  const standing = filesBelow(root, "");
  const old = standing[random(standing.length)];
  const name = NAMES[random(NAMES.length)] ?? "x";
  const made = () => {
    const folders = name.split("/").slice(0, -1);
    folders.forEach((_, index) => {
      const folder = at(folders.slice(0, index + 1).join("/"));
      if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(folder);
    });
    mkdirSync(at(folders.join("/")), { recursive: true });
    rmSync(at(name), { recursive: true, force: true });
  };
  const kind = old === undefined ? 0 : random(7);
  const said = JSON.stringify([kind, old, name]);
  if (kind <= 1 || old === undefined) {
    made();
    writeFileSync(at(name), contentOf(random));
  } else if (kind === 2) {
    made();
    symlinkSync(Buffer.from(["plain.txt", "nowhere", "caf\xe9\n"][random(3)] ?? "", "latin1"), at(name));
  } else if (kind === 3) rmSync(at(old));
  else if (kind === 4 && !lstatSync(at(old)).isSymbolicLink()) chmodSync(at(old), random(2) === 0 ? 0o644 : 0o755);
  else if (kind === 5 && !old.startsWith(`${name}/`) && !name.startsWith(`${old}/`) && old !== name) {
    made();
    if (lstatSync(at(old), { throwIfNoEntry: false }) !== undefined) renameSync(at(old), at(name));
  } else if (!lstatSync(at(old)).isSymbolicLink()) {
    const before = readFileSync(at(old));
    const middle = random(before.length + 1);
    writeFileSync(at(old), Buffer.concat([before.subarray(0, middle), contentOf(random).subarray(0, 50), before.subarray(middle)]));
  }
  return said;
}

function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(Buffer.from(`${root}/${folder}`, "latin1"), { withFileTypes: true, encoding: "buffer" })
    .map((entry) => ({ entry, name: `${folder}${entry.name.toString("latin1")}` }))
    .filter(({ name }) => name !== ".git" && name !== ".gitignore")
    .flatMap(({ entry, name }) => (entry.isDirectory() ? filesBelow(root, `${name}/`) : [name]))
    .sort();
}
