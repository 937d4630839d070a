import { join } from "node:path";
import { byNeed } from "@tmpm/api/standing";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { asking, open, row, shell } from "./moves.js";
import { benches, noBrowser, PHONE } from "./page-fixture.js";

const bench = benches();

if (noBrowser !== null) console.warn(`the page is not tried in a browser: ${noBrowser}`);

async function namesIn(page: Page): Promise<readonly string[]> {
  return page.locator(".row .name").allTextContents();
}

describe.skipIf(noBrowser !== null)("the page in a browser", () => {
  test("lists sessions like `tmpm ls`, and shows a new one without a reload", async () => {
    await using b = await bench();
    await shell(b, "first");
    await shell(b, "second");
    const { page, faults } = await b.seat();
    await expect.poll(() => namesIn(page)).toEqual(["first", "second"]);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await asking(b, "asker", "touch it");
    const listed = (await b.api.list()).sessions.toSorted(byNeed).map(({ name }) => name);
    expect(listed[0]).toBe("asker");
    await expect.poll(() => namesIn(page)).toEqual(listed);
    await expect.poll(() => page.textContent(row("asker"))).toMatch(/approval.*asks to use Bash: touch it/);
    await expect.poll(() => page.title()).toBe("(1) tmpm");
    // Events arrive without opening the stream again.
    expect(asked.filter((path) => path.endsWith("/v1/events"))).toEqual([]);
    await page.fill("#filter", "sec");
    await expect.poll(() => namesIn(page)).toEqual(["second"]);
    expect(faults).toEqual([]);
  });

  test("sends a prompt, keeps a draft across a reload, and shows the outcome", async () => {
    await using b = await bench();
    await shell(b, "talker");
    const { page, faults } = await b.seat();
    await open(page, "talker", "reading");
    await page.fill("#composer", "echo draft-$((40+2))");
    await page.reload();
    await page.waitForSelector("#composer");
    expect(await page.inputValue("#composer")).toBe("echo draft-$((40+2))");
    await page.press("#composer", "Enter");
    await page.waitForSelector('.receipts [data-outcome="submitted"]');
    expect(await page.inputValue("#composer")).toBe("");
    await expect.poll(() => page.textContent(".screen")).toContain("draft-42");
    expect((await b.api.sends({ session: "talker" })).sends).toHaveLength(1);
    await page.reload();
    await page.waitForSelector("#composer");
    expect(await page.inputValue("#composer")).toBe("");
    expect(faults).toEqual([]);
  });

  test("answers a request, and shows an error if it has changed", async () => {
    await using b = await bench();
    await asking(b, "asker", "touch allowed");
    const { page } = await b.seat({ size: PHONE });
    await page.click(".tabs >> text=Inbox");
    expect(await page.textContent(".inbox .subject")).toBe("touch allowed");
    await page.click("text=Allow once");
    await page.waitForSelector(".notice >> text=/answered “(?:Yes|approve)”/");
    await page.waitForSelector("text=Nothing waits for you");
    await b.api.wait({ session: "asker", until: "idle" });

    await b.api.send({ session: "asker", text: "RUN:touch other" });
    await page.waitForSelector(".inbox .ask");
    // Another client answers between the click and the daemon's response.
    await page.route("**/answer", async (route) => {
      const { decision } = await b.api.show({ session: "asker" });
      await b.api.answer({ session: "asker", decision_id: decision?.id ?? "", answer: { kind: "deny" } });
      await route.continue();
    });
    await page.click("text=Allow once");
    await page.waitForSelector(".notice.error");
    expect(await page.textContent(".notice.error")).toMatch(/nothing was answered.*DECISION_GONE/s);
  });

  test("stops a session, undoes that, and renames it by keyboard only", async () => {
    await using b = await bench();
    await shell(b, "mortal");
    const { page } = await b.seat();
    await page.waitForSelector(row("mortal"));
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".session .head");
    await page.keyboard.press("Control+.");
    await page.keyboard.type("stop mortal");
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=mortal is stopped");
    expect((await b.api.show({ session: "mortal" })).state).toBe("stopped");
    await page.click("text=Resume it");
    await page.waitForSelector("text=mortal is running again");
    expect((await b.api.show({ session: "mortal" })).state).toBe("active");
    await page.click(".head .title");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("not a name");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".notice.error >> text=INVALID_ARGUMENT");
    await page.click(".head .title");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("renamed");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".head .title >> text=renamed");
    expect((await b.api.show({ session: "renamed" })).name).toBe("renamed");
  });

  test("starts a session from the form, and shows why that fails", async () => {
    await using b = await bench();
    const { page } = await b.seat();
    await page.click("text=New session");
    await page.selectOption("select.field", "shell");
    await page.fill('input[list="recent"]', join(b.dir, "nowhere"));
    await page.click('.form button[type="submit"]');
    await page.waitForSelector(".form .error");
    expect(await page.textContent(".form .error")).toContain("DIRECTORY_NOT_FOUND");
    await page.fill('input[list="recent"]', b.dir);
    await page.fill('.form label:has-text("Name") input', "made-here");
    await page.click('.form button[type="submit"]');
    await page.waitForSelector(".session .head >> text=made-here");
    expect((await b.api.show({ session: "made-here" })).cwd).toBe(b.dir);
  });

  test("shows an observer no buttons that would be refused", async () => {
    await using b = await bench();
    await asking(b, "asker", "touch it");
    const { page } = await b.seat({ scope: "observer" });
    await open(page, "asker", "reading");
    await expect.poll(() => page.textContent(".screen")).toContain("touch it");
    await page.waitForSelector(".ask .subject");
    expect(await page.locator("button, a.button, textarea").allTextContents()).toEqual(
      expect.not.arrayContaining(["Allow once", "Deny", "Actions", "New session", "Send", "Queue"]),
    );
    expect(await page.locator("#composer, .menu, .head .title").count()).toBe(0);
    await page.keyboard.press("n");
    expect(new URL(page.url()).hash).not.toBe("#/new");
  });

  test("shows the output of hostile programs as text only", async () => {
    await using b = await bench();
    await shell(b, "hostile");
    const text = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    await b.api.send({
      session: "hostile",
      text: `printf '%s\\n' '${text}'; printf '\\033]2;<b>title</b>\\007\\033]8;;javascript:alert(1)\\007link\\033]8;;\\007\\n'`,
    });
    await b.api.set({ session: "hostile", task: text });
    const { page, faults } = await b.seat();
    await page.waitForSelector(row("hostile"));
    expect(await page.locator(`${row("hostile")} .about`).textContent()).toContain("<img src=x");
    await open(page, "hostile", "reading");
    await expect.poll(() => page.textContent(".screen")).toContain("<script>");
    await page.click(".segments >> text=Terminal");
    await expect.poll(() => page.textContent(".xterm-rows")).toContain("<script>");
    expect(await page.locator("#page img, #page script, #page b").count()).toBe(0);
    expect(await page.title()).toBe("tmpm");
    expect(faults).toEqual([]);
  });

  test("lists the devices, and a revoked one is logged out at once", async () => {
    await using b = await bench();
    const mine = await b.seat();
    const lost = await b.seat({ size: PHONE });
    await mine.page.click("text=Settings");
    await expect.poll(() => mine.page.locator(".devices li").count()).toBe(2);
    expect(await mine.page.locator('.devices li:has-text("this browser")').count()).toBe(1);
    await mine.page.click('.devices li:not(:has-text("this browser")) button');
    await lost.page.waitForSelector("text=This browser is not logged in");
    await expect.poll(() => mine.page.locator(".devices li").count()).toBe(1);
    // Headless Chromium has no push service; the page still shows its text about it.
    expect(await mine.page.textContent(".page")).toContain("Notifications to this browser");
  });
});
