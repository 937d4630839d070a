import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { test as every, expect } from "vitest";
import { demo } from "./demo.js";
import { benches, DESK, noBrowser, PHONE, PICTURES } from "./page-fixture.js";

const bench = benches();

if (noBrowser !== null) console.warn(`no pictures of the page are taken: ${noBrowser}`);
const test = every.skipIf(noBrowser !== null);

const SIZES = { phone: PHONE, tablet: { width: 768, height: 1024 }, desk: DESK } as const;

/** The screenshots in docs/web.md: updated by a run with TMPM_TEST_PICTURES=1. */
const SHOWN = ["list-desk-light", "session-desk-dark", "inbox-phone-dark", "session-phone-light"] as const;
/** All sizes, schemes and views, with thirty sessions; otherwise those of the documentation, with one session per state. */
const ALL = process.env.TMPM_TEST_PICTURES === "1";
const SOME_SESSIONS = 13;
const DOCS = resolve(import.meta.dirname, "../../../docs");

interface View {
  readonly name: string;
  readonly path: string;
  /** Present once it is rendered. */
  readonly drawn: string;
}

async function show(page: Page, { path, drawn }: View): Promise<void> {
  await page.evaluate(`location.hash = "#/${path}"`);
  await page.waitForSelector(drawn, { state: "attached" });
}

test("matches the screenshots on a phone and a desktop, in dark and light; in every size with TMPM_TEST_PICTURES=1", async () => {
  await using b = await bench();
  await demo(b, ALL ? undefined : SOME_SESSIONS);
  await mkdir(PICTURES, { recursive: true });
  const { id } = await b.api.show({ session: "api-login" });
  const { id: printing } = await b.api.show({ session: "bench" });
  const views: readonly View[] = [
    { name: "list", path: "", drawn: '[data-session="api-login"]' },
    { name: "session", path: `s/${id}/reading`, drawn: ".screen >> text=migrate" },
    { name: "terminal", path: `s/${printing}/terminal`, drawn: ".xterm-rows >> text=checkout" },
    { name: "inbox", path: "inbox", drawn: ".inbox .ask" },
    { name: "new", path: "new", drawn: "select.field option" },
    { name: "settings", path: "settings", drawn: ".devices li" },
    { name: "grid", path: "grid", drawn: ".tile .xterm-rows" },
  ];
  for (const [place, size] of Object.entries(SIZES)) {
    for (const scheme of ["dark", "light"] as const) {
      const taken = views.filter(({ name }) => ALL || SHOWN.some((shown) => shown === `${name}-${place}-${scheme}`));
      if (taken.length === 0) continue;
      const { page, context, faults } = await b.seat({ size, scheme });
      await page.waitForSelector('[data-session="api-login"]');
      for (const view of taken) {
        await show(page, view);
        await page.screenshot({ path: join(PICTURES, `${view.name}-${place}-${scheme}.png`) });
        // Nothing is wider than the window.
        expect([view.name, await page.evaluate("document.documentElement.scrollWidth - innerWidth")]).toEqual([view.name, 0]);
      }
      expect(faults).toEqual([]);
      await context.close();
    }
  }
  if (!ALL) return;
  await mkdir(join(DOCS, "pictures"), { recursive: true });
  for (const name of SHOWN) await copyFile(join(PICTURES, `${name}.png`), join(DOCS, `pictures/web-${name}.png`));
});

test("the screenshots of docs/web.md exist, and are those that are taken", async () => {
  const page = await readFile(join(DOCS, "web.md"), "utf8");
  const shown = [...page.matchAll(/\(pictures\/web-([\w-]+)\.png\)/g)].map(([, name]) => name);
  expect(shown).toEqual(SHOWN);
  for (const name of SHOWN) expect((await readFile(join(DOCS, `pictures/web-${name}.png`))).subarray(1, 4).toString()).toBe("PNG");
});
