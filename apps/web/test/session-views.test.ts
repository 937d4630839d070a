import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { open, repository, row, shell } from "./moves.js";
import { benches, noBrowser } from "./page-fixture.js";

const bench = benches();

if (noBrowser !== null) console.warn(`the views of a session are not tried in a browser: ${noBrowser}`);

const AGENT = createRequire(new URL("../../daemon/package.json", import.meta.url)).resolve("@tmpm/sdk-driver/scripted-agent");
const SELECTED = "String(document.getSelection())";

describe.skipIf(noBrowser !== null)("the views of a session", () => {
  test("show a protocol agent's text as it arrives, without a terminal and keys", async () => {
    await using b = await bench();
    await b.tmpm("new", "--host", "sdk", "--name", "spoken", "--prompt", 'agent: {"say": "First words."}', "--", process.execPath, AGENT);
    const { page, faults } = await b.seat();
    await page.waitForSelector(row("spoken"));
    await open(page, "spoken");
    await expect.poll(() => page.textContent(".screen")).toContain("First words.");
    expect(await page.locator(".segments a").allTextContents()).toEqual(["Reading", "Changes"]);
    await page.fill("#composer", 'agent: {"say": "Second words."}');
    await page.press("#composer", "Enter");
    await expect.poll(() => page.textContent(".screen")).toContain("Second words.");
    expect(faults).toEqual([]);
  });

  test("keep selected text while the screen changes, and update it afterwards", async () => {
    await using b = await bench();
    await shell(b, "printing");
    await b.api.send({ session: "printing", text: "echo keep-$((1+1)) this" });
    const { page } = await b.seat();
    await open(page, "printing", "reading");
    await expect.poll(() => page.textContent(".screen")).toContain("keep-2 this");
    await page.getByText("keep-2 this").first().dblclick();
    const selected = await page.evaluate(SELECTED);
    expect(selected).not.toBe("");
    await b.api.send({ session: "printing", text: "clear; echo later-$((1+1))" });
    await page.waitForSelector("text=Not updated while text in it is selected");
    expect(await page.evaluate(SELECTED)).toBe(selected);
    await page.evaluate("document.getSelection().removeAllRanges()");
    await expect.poll(() => page.textContent(".screen")).toContain("later-2");
  });

  test("show all comments on changes, and keep one that is being written with its line", async () => {
    await using b = await bench();
    await repository(b);
    await shell(b, "changing");
    const file = join(b.dir, "total.js");
    await writeFile(file, "one\n2\nthree\n");
    const { page } = await b.seat();
    await open(page, "changing", "changes");
    const comment = async (line: number, text: string) => {
      await page.click(`[aria-label="Comment on line ${line} of total.js"]`);
      await page.fill('[aria-label="Comment"]', text);
      await page.press('[aria-label="Comment"]', "Control+Enter");
      await page.waitForSelector(`.said >> text=${text}`);
    };
    const said = () => page.locator(".said p:first-child").allTextContents();
    await comment(1, "On one");
    await comment(3, "On three");
    expect(await said()).toEqual(["On one", "On three"]);
    await page.click('.said:has-text("On one") >> text=Remove');
    await expect.poll(said).toEqual(["On three"]);

    await page.click('[aria-label="Comment on line 2 of total.js"]');
    await page.fill('[aria-label="Comment"]', "half a com");
    await writeFile(file, "zero\none\n2\nthree\n");
    await page.click(".changes-head >> text=Reload");
    await page.waitForSelector('[aria-label="Comment on line 4 of total.js"]');
    expect(await page.inputValue('[aria-label="Comment"]')).toBe("half a com");
    await page.click(".segments >> text=Reading");
    await page.click(".segments >> text=Changes");
    await expect.poll(() => page.inputValue('[aria-label="Comment"]')).toBe("half a com");
    // The file changes again, and the page does not know yet.
    await writeFile(file, "minus\nzero\none\n2\nthree\n");
    await page.press('[aria-label="Comment"]', "Control+Enter");
    await page.waitForSelector(".changes .error >> text=/has changed/");
    expect(await page.inputValue('[aria-label="Comment"]')).toBe("half a com");
    await page.click(".changes-head >> text=Reload");
    await page.waitForSelector('[aria-label="Comment on line 5 of total.js"]');
    await page.press('[aria-label="Comment"]', "Control+Enter");
    await expect
      .poll(async () => (await b.api.comments({ session: "changing" })).comments.map(({ line, anchor }) => [line, anchor.text]))
      .toEqual([
        [5, "three"],
        [4, "2"],
      ]);
  });
});
