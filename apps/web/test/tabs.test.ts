import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { row, shell } from "./moves.js";
import { benches, noBrowser } from "./page-fixture.js";

const bench = benches();

if (noBrowser !== null) console.warn(`the page is not tried in several tabs: ${noBrowser}`);

/** More than the six connections that a browser opens to a host. */
const TABS = 8;

describe.skipIf(noBrowser !== null)("several tabs of a browser", () => {
  test("share one event stream, which another tab continues when its tab closes", async () => {
    await using b = await bench();
    await shell(b, "before");
    const { page: first, context, faults } = await b.seat();
    const others: Page[] = [];
    /** Streams that are open at the daemon. */
    const followers = async () => {
      const metrics: string | undefined = await others[0]?.evaluate(`fetch("metrics").then((response) => response.text())`);
      return Number(/^tmpm_event_followers (\d+)$/m.exec(metrics ?? "")?.[1]);
    };
    for (let count = 1; count < TABS; count++) {
      const page = await context.newPage();
      await page.goto(first.url());
      await page.waitForSelector(row("before"));
      others.push(page);
    }
    await expect.poll(followers).toBe(1);
    await shell(b, "second");
    for (const page of [first, ...others]) await page.waitForSelector(row("second"));

    await first.close();
    await shell(b, "third");
    for (const page of others) await page.waitForSelector(row("third"));
    for (const page of others) await expect.poll(() => page.locator(".banner").count()).toBe(0);
    await expect.poll(followers).toBe(1);
    expect(faults).toEqual([]);
  });

  test("each have their own event stream in a browser without the Web Locks API", async () => {
    await using b = await bench();
    const { page, context } = await b.seat();
    await context.addInitScript(
      `Object.defineProperty(Navigator.prototype, "locks", { get: undefined }); delete Navigator.prototype.locks;`,
    );
    const [alone, other] = [await context.newPage(), await context.newPage()];
    for (const each of [alone, other]) {
      const followed = each.waitForRequest((request) => request.url().includes("/v1/events"));
      await each.goto(page.url());
      await followed;
    }
    await shell(b, "seen");
    for (const each of [alone, other]) await each.waitForSelector(row("seen"));
  });

  test("show that the daemon stopped responding on an open connection, and that it responds again", async () => {
    await using b = await bench();
    const { page, context } = await b.seat();
    const other = await context.newPage();
    await other.goto(page.url());
    await other.waitForSelector(".list");
    const { pid } = await b.api.health();
    process.kill(pid, "SIGSTOP");
    onTestFinished(() => void process.kill(pid, "SIGCONT"));
    for (const each of [page, other]) await each.waitForSelector(".banner >> text=Not connected");
    process.kill(pid, "SIGCONT");
    for (const each of [page, other]) await expect.poll(() => each.locator(".banner").count()).toBe(0);
    await shell(b, "later");
    for (const each of [page, other]) await each.waitForSelector(row("later"));
  });
});
