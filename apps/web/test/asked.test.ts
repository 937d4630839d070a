import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { asking, open, row, shell } from "./moves.js";
import { benches, DESK, noBrowser, PHONE, PICTURES } from "./page-fixture.js";

const bench = benches();

if (noBrowser !== null) console.warn(`questions are not answered in a browser: ${noBrowser}`);

const badge = (page: Page) => page.locator(".badge").first().textContent();
/** Controls that are wider than the window or lower than a finger. */
const UNFIT = `[...document.querySelectorAll(".ask button, .ask .button, .ask textarea")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth || each.getBoundingClientRect().height < 44).map((each) => each.outerHTML)`;

describe.skipIf(noBrowser !== null)("a question that an agent asks through tmpm", () => {
  test("is listed, counted and answered by a choice or in other words, each once", async () => {
    await using b = await bench();
    await shell(b, "asker");
    await shell(b, "quiet");
    const { page, faults } = await b.seat();
    await page.waitForSelector(row("quiet"));
    await b.api.ask({ session: "asker", question: "Which database\nis it to be?", choices: ["SQLite", "PostgreSQL <b>16</b>"] });
    await b.api.ask({ session: "asker", question: "And which port?" });
    await expect.poll(() => page.textContent(row("asker"))).toMatch(/question.*Which database is it to be\?/);
    await expect.poll(() => badge(page)).toBe("1");
    await expect.poll(() => page.title()).toBe("(1) tmpm");
    await page.keyboard.press("i");
    await page.waitForSelector(".inbox .ask");
    expect(await page.textContent(".inbox .subject")).toBe("Which database\nis it to be?");
    expect(await page.locator(".inbox .choose").allTextContents()).toEqual(["1 SQLite", "2 PostgreSQL <b>16</b>"]);
    await mkdir(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, "question-desk-light.png") });
    await page.click(".inbox .choose >> text=PostgreSQL");
    await page.waitForSelector(".notice >> text=/answered “PostgreSQL <b>16<.b>”; it is sent as a prompt/");
    // The next one follows.
    await page.waitForSelector(".inbox .subject >> text=And which port?");
    expect(await page.locator(".inbox .choose").count()).toBe(0);
    await page.fill(".inbox .own-words textarea", "5433");
    await page.press(".inbox .own-words textarea", "Enter");
    await page.waitForSelector("text=Nothing waits for you");
    const { questions } = await b.api.inbox({ all: true });
    expect(questions.map(({ answer }) => [answer?.choice, answer?.text])).toEqual([
      [2, "PostgreSQL <b>16</b>"],
      [null, "5433"],
    ]);
    expect(await page.locator(".badge").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("is answered on a phone beside the screen; a half-written answer stays, and a closed question is reported", async () => {
    await using b = await bench();
    await shell(b, "asker");
    const { id } = await b.api.ask({
      session: "asker",
      question: `Which of these? ${"a long question ".repeat(20)}`,
      choices: [
        "Short",
        "A choice whose label is so long that it needs several lines on a phone, as those of a model often do",
        "x".repeat(200),
      ],
    });
    const { page, faults } = await b.seat({ size: PHONE, scheme: "dark" });
    await page.waitForSelector(".tabs .badge");
    await open(page, "asker");
    await page.waitForSelector(".session .ask");
    expect(await page.evaluate(UNFIT)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await mkdir(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, "question-phone-dark.png") });
    await page.fill(".ask textarea", "neither of");
    // Enter is a new line under a finger.
    await page.press(".ask textarea", "Enter");
    await page.click(".head .back");
    await page.click(".tabs >> text=Inbox");
    await expect.poll(() => page.inputValue(".inbox .ask textarea")).toBe("neither of\n");
    expect(await page.evaluate(UNFIT)).toEqual([]);
    await page.route("**/answer", async (route) => {
      await b.api.withdrawQuestion({ session: "asker", question: id });
      await route.continue();
    });
    await page.click(".ask >> text=Answer");
    await page.waitForSelector(".notice.error");
    expect(await page.textContent(".notice.error")).toMatch(/nothing was answered.*DECISION_GONE/s);
    await page.waitForSelector("text=Nothing waits for you");
    expect(faults).toEqual([]);
  });

  test("a second tap does not answer the question that moved under the finger", async () => {
    await using b = await bench();
    for (const name of ["first", "second"]) {
      await shell(b, name);
      await b.api.ask({ session: name, question: `May ${name} go on?`, choices: ["Yes", "No"] });
    }
    const { page } = await b.seat();
    await page.keyboard.press("i");
    await expect.poll(() => page.locator(".inbox .ask").count()).toBe(2);
    await page.evaluate(`new MutationObserver(() => {
      const [left, ...more] = document.querySelectorAll(".inbox .ask");
      if (window.tapped === undefined && left !== undefined && more.length === 0) {
        window.tapped = left.getAttribute("aria-label");
        left.querySelector(".choose").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2 }));
      }
    }).observe(document.querySelector(".inbox"), { childList: true, subtree: true })`);
    await page.click(".inbox .choose >> nth=0");
    await expect.poll(() => page.evaluate("window.tapped")).toBe("second asks");
    await page.click(".inbox .choose >> text=No");
    await page.waitForSelector("text=Nothing waits for you");
    const { questions } = await b.api.inbox({ all: true });
    expect(questions.map(({ answer }) => answer?.text)).toEqual(["Yes", "No"]);
  });

  test("is shown below what the screen asks, and to an observer without answers", async () => {
    await using b = await bench();
    await asking(b, "asker", "touch it");
    await b.api.ask({ session: "asker", question: "Which database?", choices: ["SQLite"] });
    const { page } = await b.seat({ size: DESK, scope: "observer" });
    await open(page, "asker", "reading");
    await expect.poll(() => page.locator(".session .ask .subject").allTextContents()).toEqual(["touch it", "Which database?"]);
    expect(await page.textContent(".ask .offered")).toBe("SQLite");
    expect(await page.locator(".ask button, .ask textarea").count()).toBe(0);
    await expect.poll(() => badge(page)).toBe("2");
  });
});
