import { expect, test } from "vitest";
import { answering } from "../fixtures/answering.js";

const file = (path: string, changes: Record<string, unknown> = {}) => ({
  ...{ path, path_bytes: null, from: null, status: "modified", old_mode: null, new_mode: null, binary: false, submodule: false },
  ...{ added: 1, removed: 0, patch: `diff --git a/${path} b/${path}\n`, patch_bytes: null, too_large: false },
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

test("a patch is written as bytes, from all pages", async () => {
  const [first, second] = [Buffer.from("diff --git a/x\n+caf\xe9\0\n", "latin1"), "diff --git a/y\n+\ufffd\n"];
  await using here = await answering(({ url }) => ({
    body: url.includes("cursor=Yw")
      ? answer([file("y", { patch: second })], null)
      : answer([file("x", { patch: null, patch_bytes: first.toString("base64") })], "Yw"),
  }));
  const { exit, bytes, stderr } = await here.tmpmBytes("diff", "demo", "--base", "main");
  expect([exit, stderr, bytes]).toEqual([0, "", Buffer.concat([first, Buffer.from(second)])]);
  expect(here.asked.map(({ url }) => url.split("?")[1])).toEqual([
    "base=main&limit=1000&exact=true",
    "base=main&limit=1000&cursor=Yw&exact=true",
  ]);
});

test("a patch that lacks something is reported", async () => {
  const large = file("x", { too_large: true, patch: null });
  await using here = await answering(() => ({ body: answer([file("a"), large]) }));
  const { exit, stderr } = await here.tmpm("diff", "demo");
  expect([exit, stderr]).toEqual([1, "tmpm: the patch is incomplete: too large: x\n"]);
  expect((await here.tmpm("diff", "demo", "--json")).exit).toBe(0);
  expect((await here.tmpm("diff", "demo", "--stat")).exit).toBe(0);
});

test.each([
  ["files", (isFirst: boolean) => ({ total: { files: isFirst ? 2 : 3, added: 1, removed: 0 } })],
  ["contents", (isFirst: boolean) => ({ version: isFirst ? "1" : "2" })],
])("a work tree whose %s change between two pages is reported", async (_, seen) => {
  await using here = await answering(({ url }) => ({ body: { ...answer([file("a")], "Yw"), ...seen(!url.includes("cursor")) } }));
  const { exit, stderr } = await here.tmpm("diff", "demo");
  expect([exit, stderr]).toEqual([1, expect.stringContaining("the patch is incomplete: the work tree changed while it was read")]);
});

test("a part of a patch is complete, and the command that continues repeats the options", async () => {
  await using here = await answering(({ url }) => ({ body: answer([file("a")], url.includes("limit=1") ? "Yw" : null) }));
  expect(await here.tmpm("diff", "demo", "--limit", "1")).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining("--cursor Yw` continues"),
  });
  const { exit, stderr } = await here.tmpm("diff", "demo", "src dir", "--stat", "--base", "main", "--limit", "1");
  expect([exit, stderr]).toEqual([
    0,
    expect.stringContaining("`tmpm diff demo --stat --base main --limit 1 --cursor Yw 'src dir'` continues"),
  ]);
});
