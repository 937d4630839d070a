import { expect, test } from "vitest";
import { answering } from "./answering.js";

const file = (path: string, changes: Record<string, unknown> = {}) => ({
  ...{ path, path_bytes: null, from: null, status: "modified", old_mode: null, new_mode: null, binary: false, submodule: false },
  ...{ added: 1, removed: 0, patch: `diff --git a/${path} b/${path}\n`, too_large: false },
  ...changes,
});
const answer = (files: readonly object[], next: string | null = null) => ({
  ...{
    session: "demo",
    top: "/w",
    base: { commit: "a".repeat(40), ref: null, found: "fork" },
    head: { branch: "main", commit: "b".repeat(40) },
  },
  ...{ turn: null, files, total: { files: files.length, added: 1, removed: 0 }, next, notes: [] },
});

test.each([
  ["binary", file("x", { binary: true, added: null })],
  ["too large", file("x", { too_large: true, patch: null })],
  ["not UTF-8", file("x", { patch: "+caf\ufffd\n" })],
])("a patch without the exact content of a file that is %s is reported as incomplete", async (why, damaged) => {
  await using here = await answering(() => ({ body: answer([file("a"), damaged]) }));
  const { exit, stderr } = await here.tmpm("diff", "demo");
  expect([exit, stderr]).toEqual([1, `tmpm: the patch is incomplete: ${why}: x\n`]);
  expect((await here.tmpm("diff", "demo", "--json")).exit).toBe(0);
  expect((await here.tmpm("diff", "demo", "--stat")).exit).toBe(0);
});

test("a complete patch is not, and the command that continues repeats the options", async () => {
  await using here = await answering(({ url }) => ({ body: answer([file("a")], url.includes("limit") ? "Yw" : null) }));
  expect(await here.tmpm("diff", "demo")).toMatchObject({ exit: 0, stderr: "" });
  const { exit, stderr } = await here.tmpm("diff", "demo", "src dir", "--stat", "--base", "main", "--limit", "1");
  expect([exit, stderr]).toEqual([
    0,
    expect.stringContaining("`tmpm diff demo --stat --base main --limit 1 --cursor Yw 'src dir'` continues"),
  ]);
});
