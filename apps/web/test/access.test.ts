import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { test as every, expect } from "vitest";
import { repository } from "./moves.js";
import { benches, DESK, noBrowser, PHONE } from "./page-fixture.js";

const bench = benches();

const test = every.skipIf(noBrowser !== null);
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly any: readonly { readonly message: string }[] }[];
}

/** Violations that axe reports for the current page, one per line. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const violations: readonly Finding[] = await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(rules)} }).then((found) => found.violations)`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`));
}

/** Each size and each scheme once; every pair of them at full scale. */
const LOOKS = [
  { size: PHONE, scheme: "dark" },
  { size: DESK, scheme: "light" },
  ...(Number(process.env.TMPM_TEST_SCALE) >= 10
    ? [{ size: PHONE, scheme: "light" } as const, { size: DESK, scheme: "dark" } as const]
    : []),
] as const;

test.each(LOOKS)("axe reports no violations on any page, $size.width pixels wide and $scheme", async ({ size, scheme }) => {
  await using b = await bench();
  await b.api.create({ agent: "claude", cwd: b.dir, name: "asker", search_path: b.path });
  await b.api.wait({ session: "asker", until: "idle" });
  await b.api.send({ session: "asker", text: "RUN:touch it" });
  const { id } = await b.api.wait({ session: "asker", until: "awaiting_approval" });
  await repository(b);
  const { id: plain } = await b.api.create({ agent: "shell", cwd: b.dir, name: "plain" });
  await b.api.set({ session: plain, budget: { turns: 9 } });
  await writeFile(join(b.dir, "total.js"), "one\n2\nthree\n");
  const pages = {
    "": ".list .row",
    inbox: "main",
    new: "main",
    settings: "main",
    archived: "main",
    usage: ".figures tbody",
    grid: ".xterm-rows",
    [`s/${id}/reading`]: "main",
    [`s/${id}/terminal`]: ".xterm-rows",
    [`s/${plain}/changes`]: ".changes-head",
  };
  const found: string[] = [];
  const { page } = await b.seat({ size, scheme });
  await page.waitForSelector('[data-session="asker"]');
  for (const [path, shows] of Object.entries(pages)) {
    await page.evaluate(`location.hash = "#/${path}"`);
    await page.waitForSelector(shows);
    for (const each of await findings(page)) found.push(`#/${path} ${each}`);
  }
  expect(found).toEqual([]);
});

test("touch targets are at least 44 pixels high on a phone", async () => {
  await using b = await bench();
  await b.api.create({ agent: "shell", cwd: b.dir, name: "plain" });
  const { page } = await b.seat({ size: PHONE });
  await page.waitForSelector('[data-session="plain"]');
  const small = `[...document.querySelectorAll("button, .button, .row, .tabs a, input:not([type=checkbox]), textarea, select.field")]
    .filter((each) => each.offsetParent !== null && each.getBoundingClientRect().height < 44).map((each) => each.outerHTML.slice(0, 120))`;
  for (const path of ["", "inbox", "new", "archived", "settings"]) {
    await page.evaluate(`location.hash = "#/${path}"`);
    expect(await page.evaluate(small)).toEqual([]);
  }
  await page.evaluate(`location.hash = "#/"`);
  await page.click('[data-session="plain"]');
  await page.waitForSelector("#composer");
  expect(await page.evaluate(small)).toEqual([]);
});
