import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { asking, open, repository, row, shell, working } from "./moves.js";
import { benches, noBrowser, PHONE } from "./page-fixture.js";

const bench = benches();

if (noBrowser !== null) console.warn(`what the page can do is not tried in a browser: ${noBrowser}`);

async function act(page: Page, verb: string): Promise<void> {
  await page.click(".menu summary");
  await page.click(`.menu li button:has(strong:text-is("${verb}"))`);
}

describe.skipIf(noBrowser !== null)("functions of the page", () => {
  test("shows the queue in order; prompts are moved to the front, cancelled and delivered", async () => {
    await using b = await bench();
    await working(b, "busy");
    const { page } = await b.seat();
    await open(page, "busy", "reading");
    for (const text of ["first", "second", "third"]) {
      await page.fill("#composer", text);
      await page.press("#composer", "Enter");
      await expect.poll(() => page.inputValue("#composer")).toBe("");
    }
    await page.waitForSelector(".views >> text=Turns and queue (3)");
    await page.click(".views >> text=Turns and queue");
    const waiting = () => page.locator(".turns").first().locator(".prompt").allTextContents();
    await expect.poll(waiting).toEqual(["first", "second", "third"]);
    await page.click('.turns li:has-text("third") >> text=To the front');
    const held = async () => (await b.api.queue({ session: "busy" })).waiting.map(({ prompt }) => prompt);
    await expect.poll(held).toEqual(["third", "first", "second"]);
    await expect.poll(waiting).toEqual(["third", "first", "second"]);
    await page.click('.turns li:has-text("first") >> text=Cancel');
    await expect.poll(waiting).toEqual(["third", "second"]);
    expect(await held()).toEqual(["third", "second"]);
    await act(page, "Interrupt");
    await expect.poll(async () => (await b.api.queue({ session: "busy" })).waiting.length).toBe(0);
    await page.waitForSelector(".turns >> text=completed");
  });

  test("lists archived sessions, reactivates one and removes one", async () => {
    await using b = await bench();
    for (const name of ["back", "gone"]) {
      await shell(b, name);
      await b.api.stop({ session: name });
      await b.api.archive({ session: name });
    }
    const { page, faults } = await b.seat();
    const archived = (name: string) => `[data-archived="${name}"]`;
    await page.click("text=Archived");
    await page.waitForSelector(archived("gone"));
    await page.click('[aria-label="Reactivate back"]');
    await page.waitForSelector(".notice >> text=back is listed again");
    await expect.poll(() => page.locator(archived("back")).count()).toBe(0);
    await page.click('[aria-label="Remove gone"]');
    await page.waitForSelector(".notice >> text=gone is removed");
    await page.waitForSelector("text=No session is archived");
    await page.evaluate(`location.hash = "#/"`);
    await page.waitForSelector(row("back"));
    expect((await b.api.show({ session: "gone" })).state).toBe("decommissioned");
    expect(faults).toEqual([]);
  });

  test("starts a session with a profile of the configuration, as `tmpm new --profile` does", async () => {
    await using b = await bench();
    await b.tmpm("config", "set", "profiles.loop.command", JSON.stringify(["sh", "-c", "echo from-the-profile; sleep 900"]));
    onTestFinished(async () => void (await b.tmpm("config", "unset", "profiles.loop")));
    await expect.poll(async () => (await b.api.profiles()).profiles.map(({ name }) => name)).toEqual(["loop"]);
    expect(await b.tmpm("agents", "profiles")).toMatch(/loop +sh -c echo from-the-profile/);
    const { page } = await b.seat();
    await page.click("text=New session");
    await page.selectOption("#profile", "loop");
    await expect.poll(() => page.inputValue("#agent")).toBe("command");
    await page.fill('input[list="recent"]', b.dir);
    await page.fill('.form label:has-text("Name") input', "looping");
    await page.click('.form button[type="submit"]');
    await page.waitForSelector(".session .head >> text=looping");
    await expect.poll(async () => (await b.api.capture({ session: "looping" })).lines.join("\n")).toContain("from-the-profile");
  });

  test("starts no session while its profile is unknown", async () => {
    await using b = await bench();
    await b.tmpm("config", "set", "profiles.loop.command", JSON.stringify(["sleep", "900"]));
    onTestFinished(async () => void (await b.tmpm("config", "unset", "profiles.loop")));
    await expect.poll(async () => (await b.api.profiles()).profiles.length).toBe(1);
    const { page } = await b.seat();
    const start = page.locator('.form button[type="submit"]');
    let allow: () => void = () => undefined;
    const allowed = new Promise<void>((resolve) => {
      allow = resolve;
    });
    await page.route("**/v1/profiles*", async (route) => {
      await allowed;
      await route.continue();
    });
    await page.click("text=New session");
    await page.waitForSelector("text=The profiles are not loaded yet");
    expect(await start.isDisabled()).toBe(true);
    allow();
    await expect.poll(() => start.isDisabled()).toBe(false);

    await page.selectOption("#profile", "loop");
    await b.tmpm("config", "unset", "profiles.loop");
    await expect.poll(async () => (await b.api.profiles()).profiles.length).toBe(0);
    await page.reload();
    await page.waitForSelector("text=The configuration has no profile loop");
    expect(await start.isDisabled()).toBe(true);
    await page.selectOption("#profile", "");
    await expect.poll(() => start.isDisabled()).toBe(false);
  });

  test("starts a session without a profile while the profiles cannot be loaded", async () => {
    await using b = await bench();
    const { page } = await b.seat();
    await page.route("**/v1/profiles*", (route) => route.abort());
    await page.click("text=New session");
    const start = page.locator('.form button[type="submit"]');
    await page.waitForSelector("#profile");
    expect(await start.isDisabled()).toBe(true);
    await page.selectOption("#profile", "");
    await expect.poll(() => start.isDisabled()).toBe(false);
  });

  test("archives, removes and restores", async () => {
    await using b = await bench();
    for (const name of ["kept", "gone"]) {
      await shell(b, name);
      await b.api.stop({ session: name });
    }
    const { page } = await b.seat();
    await open(page, "kept");
    await act(page, "Archive");
    await page.waitForSelector(".notice >> text=kept is archived");
    await expect.poll(() => page.locator(row("kept")).count()).toBe(0);
    await page.click(".notice >> text=Undo");
    await page.waitForSelector(row("kept"));
    await open(page, "gone");
    await act(page, "Remove");
    await page.waitForSelector(".notice >> text=gone is removed");
    await expect.poll(() => page.locator(row("gone")).count()).toBe(0);
    await page.waitForSelector("text=This session no longer exists");
    await page.click('.notice:has-text("gone is removed") >> text=Undo');
    await page.waitForSelector(row("gone"));
    expect((await b.api.list()).sessions.map(({ name, state }) => `${name} ${state}`).sort()).toEqual(["gone stopped", "kept stopped"]);
  });

  test("refuses to remove unsaved work without confirmation", async () => {
    await using b = await bench();
    await repository(b);
    await b.api.create({ agent: "shell", cwd: b.dir, worktree: true, name: "tree" });
    await b.api.wait({ session: "tree", until: "idle" });
    await b.api.send({ session: "tree", text: "echo new > unsaved.txt" });
    const { page } = await b.seat();
    await open(page, "tree");
    await act(page, "Remove");
    await page.waitForSelector(".notice.error >> text=WORKSPACE_REFUSED");
    expect((await b.api.show({ session: "tree" })).state).toBe("stopped");
    await page.click("text=Move that work to the trash");
    await page.waitForSelector(".notice >> text=Its workspace is in the trash");
    await page.click('.notice:has-text("is in the trash") >> text=Undo');
    await page.waitForSelector(row("tree"));
  });
});

describe.skipIf(noBrowser !== null)("by keyboard only", () => {
  test("a session is found, read, prompted, left and started", async () => {
    await using b = await bench();
    await shell(b, "alpha");
    await shell(b, "beta");
    const { page } = await b.seat();
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.waitForSelector(row("beta"));
    await press("/");
    await page.keyboard.type("bet");
    await expect.poll(() => page.locator(".row").count()).toBe(1);
    await press("Escape", "j", "Enter");
    await page.waitForSelector(".head .title >> text=beta");
    await press("t");
    await page.waitForSelector(".reading");
    await press("c");
    await page.keyboard.type("echo by-$((40+2))");
    await press("Enter");
    await page.waitForSelector('.receipts [data-outcome="submitted"]');
    await expect.poll(() => page.textContent(".screen")).toContain("by-42");
    await press("Escape", "w");
    await page.waitForSelector("text=What would change it");
    await press("b");
    await expect.poll(() => page.locator(".list").count()).toBe(0);
    await press("b", "?");
    await page.waitForSelector("dialog >> text=these keys");
    await press("Escape");
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
    await press("Escape", "n");
    await page.waitForSelector('select.field option[value="shell"]', { state: "attached" });
    await page.locator("select.field").focus();
    await page.keyboard.type("Sh");
    await expect.poll(() => page.locator("select.field").inputValue()).toBe("shell");
    await press("Tab");
    await page.keyboard.press("Control+a");
    await page.keyboard.type(b.dir);
    // Skips the checkbox for a worktree.
    await press("Tab", "Tab");
    await page.keyboard.type("typed");
    await press("Enter");
    await page.waitForSelector(".head .title >> text=typed");
    await press("i");
    await page.waitForSelector("text=Nothing waits for you");
    await press("u");
    await page.waitForSelector("text=No tokens were counted");
  });

  test("an approval is given in the inbox", async () => {
    await using b = await bench();
    await asking(b, "asker", "touch it");
    const { page } = await b.seat();
    await page.keyboard.press("i");
    await page.waitForSelector(".inbox .ask");
    for (let tabs = 0; tabs < 30; tabs += 1) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate("document.activeElement.textContent")) === "Allow once") break;
    }
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=Nothing waits for you");
  });
});

describe.skipIf(noBrowser !== null)("two browsers at once", () => {
  test("show the same, and an action in one appears in the other", async () => {
    await using b = await bench();
    await shell(b, "shared");
    await asking(b, "asker", "touch it");
    const one = await b.seat();
    const two = await b.seat({ size: PHONE, scheme: "dark" });
    await open(one.page, "shared", "reading");
    await one.page.fill("#composer", "echo from-$((1+1))");
    await open(two.page, "shared", "reading");
    expect(await two.page.inputValue("#composer")).toBe("");
    await one.page.press("#composer", "Enter");
    await expect.poll(() => two.page.textContent(".screen")).toContain("from-2");
    await expect.poll(() => two.page.locator('.receipts [data-outcome="submitted"]').count()).toBe(1);
    await one.page.click(".head .title");
    await one.page.keyboard.press("Control+a");
    await one.page.keyboard.type("renamed");
    await one.page.keyboard.press("Enter");
    await two.page.waitForSelector(".head .title >> text=renamed");
    await two.page.click(".head .back");
    await two.page.click(".tabs >> text=Inbox");
    await two.page.waitForSelector(".inbox .ask");
    await one.page.keyboard.press("i");
    await one.page.click("text=Deny");
    await two.page.waitForSelector("text=Nothing waits for you");
  });
});
