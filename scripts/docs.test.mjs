import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import GithubSlugger from "github-slugger";
import { Lexer, walkTokens } from "marked";
import { expect, test } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pages = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter((page) => page !== "" && existsSync(join(root, page)))
  .map((page) => ({ page, ...linksAndHeadings(readFileSync(join(root, page), "utf8")) }));

test("every link of a page leads to an existing file and heading", () => {
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.flatMap(({ page, links }) => links.filter((link) => !leads(page, link)).map((link) => `${page}: ${link}`))).toEqual([]);
});

test("the index lists every page of docs", () => {
  const { links } = pages.find(({ page }) => page === "docs/README.md");
  const named = new Set(links.map((link) => join("docs", link.split("#")[0])));
  const missing = pages.filter(({ page }) => dirname(page) === "docs" && page !== "docs/README.md" && !named.has(page));
  expect(missing.map(({ page }) => page)).toEqual([]);
});

test("a broken link is detected", () => {
  expect(["nowhere.md", "tour.md#no-such-part", "tour.md", "config.md#profiles"].map((link) => leads("docs/README.md", link))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

function leads(page, link) {
  const [path, anchor] = decodeURIComponent(link).split("#");
  const file = path === "" ? join(root, page) : join(root, dirname(page), path);
  if (!existsSync(file)) return false;
  if (anchor === undefined) return true;
  return pages.find((other) => other.page === relative(root, file))?.headings.has(anchor) ?? false;
}

function linksAndHeadings(text) {
  const slugger = new GithubSlugger();
  const links = [];
  const headings = new Set();
  void walkTokens(new Lexer().lex(text), (token) => {
    if (token.type === "heading") headings.add(slugger.slug(plain(token)));
    if ((token.type === "link" || token.type === "image") && !/^[a-z]+:/.test(token.href)) links.push(token.href);
  });
  return { links, headings };
}

function plain({ tokens, text }) {
  return tokens === undefined ? text : tokens.map(plain).join("");
}
