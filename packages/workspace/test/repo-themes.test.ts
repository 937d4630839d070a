import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { themeFromPath } from "@tmpm/core";
import { expect, test } from "vitest";
import { repoThemes } from "../src/index.js";
import { openFolder } from "./repository.js";

const COLOURS = { body: "#aabbcc", outline: "#000000", accent: "#FFFFFF", shirt: "#123456" };
const THEME = { body: "#AABBCC", outline: "#000000", accent: "#FFFFFF", shirt: "#123456" };

function repository() {
  const folder = openFolder();
  mkdirSync(join(folder.path, ".swimmers"));
  return { root: folder.path, file: join(folder.path, ".swimmers", "colors.json"), [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test("a repository has the colours in its file, and rereads it when it changes", async () => {
  using repo = repository();
  const themeOf = repoThemes();
  expect(await themeOf(repo.root, repo.root)).toEqual({ id: repo.root, theme: themeFromPath(repo.root) });
  writeFileSync(repo.file, JSON.stringify({ target: "x", palette: { ...COLOURS, skin: "#F3D2B6" }, sprite: "jelly" }));
  const theme = await themeOf(repo.root, repo.root);
  expect(theme).toEqual({ id: repo.root, theme: { ...THEME, sprite: "jelly" } });
  expect(await themeOf(repo.root, repo.root)).toEqual(theme);
  writeFileSync(repo.file, JSON.stringify({ ...COLOURS, body: "#010203", sprite: "dragon" }));
  expect(await themeOf(repo.root, repo.root)).toEqual({ id: repo.root, theme: { ...THEME, body: "#010203" } });
});

test("colours in the older folder apply when the newer has none", async () => {
  using repo = repository();
  renameSync(join(repo.root, ".swimmers"), join(repo.root, ".throngterm"));
  writeFileSync(join(repo.root, ".throngterm", "colors.json"), JSON.stringify({ palette: COLOURS }));
  expect(await repoThemes()(repo.root, repo.root)).toEqual({ id: repo.root, theme: THEME });
});

test.each([
  ["no JSON", (file: string) => writeFileSync(file, "{")],
  ["a colour that is none", (file: string) => writeFileSync(file, JSON.stringify({ palette: { ...COLOURS, body: "red" } }))],
  ["a colour that is missing", (file: string) => writeFileSync(file, JSON.stringify({ palette: { ...COLOURS, shirt: undefined } }))],
  ["far too much", (file: string) => writeFileSync(file, JSON.stringify({ palette: COLOURS, more: "x".repeat(100_000) }))],
  ["a pipe", (file: string) => execFileSync("mkfifo", [file])],
  ["a folder", (file: string) => mkdirSync(file)],
])("an unreadable file counts as missing: %s", async (_what, make) => {
  using repo = repository();
  make(repo.file);
  expect(await repoThemes()(repo.root, repo.root)).toEqual({ id: repo.root, theme: themeFromPath(repo.root) });
});

test("neither the file nor its folder is followed as a link", async () => {
  using repo = repository();
  using other = repository();
  writeFileSync(other.file, JSON.stringify({ palette: COLOURS }));
  symlinkSync(other.file, repo.file);
  expect(await repoThemes()(repo.root, repo.root)).toEqual({ id: repo.root, theme: themeFromPath(repo.root) });
  symlinkSync(join(other.root, ".swimmers"), join(repo.root, ".throngterm"));
  expect(await repoThemes()(repo.root, repo.root)).toEqual({ id: repo.root, theme: themeFromPath(repo.root) });
});

test("a directory has the colours of its nearest ancestor with any, inside and outside a repository", async () => {
  using repo = repository();
  const [inner, deep] = [join(repo.root, "apps", "web"), join(repo.root, "apps", "web", "src", "pages")];
  mkdirSync(join(inner, ".swimmers"), { recursive: true });
  mkdirSync(deep, { recursive: true });
  const themeOf = repoThemes();
  expect(await themeOf(deep, null)).toBeNull();
  writeFileSync(repo.file, JSON.stringify({ palette: COLOURS }));
  expect(await themeOf(deep, null)).toEqual({ id: repo.root, theme: THEME });
  writeFileSync(join(inner, ".swimmers", "colors.json"), JSON.stringify({ palette: { ...COLOURS, body: "#010203" } }));
  expect(await themeOf(deep, repo.root)).toEqual({ id: inner, theme: { ...THEME, body: "#010203" } });
  expect(await themeOf(join(repo.root, "apps"), repo.root)).toEqual({ id: repo.root, theme: THEME });
});
