import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const DIST = join(import.meta.dirname, "../dist");
/** Gzipped bytes that are loaded before the list is shown. */
const BUDGET = 60_000;

const read = (path: string) => readFileSync(join(DIST, path), "utf8");
const assets = readdirSync(join(DIST, "assets"));

test("the list's scripts are within their budget, and do not include the terminal", () => {
  const index = read("index.html");
  const first = assets.filter((name) => name.endsWith(".js") && index.includes(name));
  expect(first.length).toBeGreaterThan(0);
  expect(first.reduce((sum, name) => sum + gzipSync(read(join("assets", name))).length, 0)).toBeLessThan(BUDGET);
  expect(first.filter((name) => read(join("assets", name)).includes("xterm-helper-textarea"))).toEqual([]);
  expect(assets.filter((name) => name.endsWith(".js") && !index.includes(name))).not.toEqual([]);
});

test("the page has no inline code, and loads no external resources", () => {
  const index = read("index.html");
  expect(index.match(/<script(?![^>]*\bsrc=)|<style|\bon\w+=|style="/g)).toBeNull();
  const named = [...index.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
  expect(named.filter((address) => address?.startsWith("./") !== true)).toEqual([]);
  for (const name of assets) if (name.endsWith(".css")) expect(read(join("assets", name))).not.toMatch(/@import|url\(/);
  expect(assets.filter((name) => !/-[\w-]{8}\.\w+$/.test(name))).toEqual([]);
});
