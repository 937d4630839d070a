import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { open, row, shell, working } from "./moves.js";
import { benches, noBrowser, PHONE } from "./page-fixture.js";

const bench = benches();

if (noBrowser !== null) console.warn(`prompts are not written in a browser: ${noBrowser}`);

/** Holds the page's requests of a path until it is let go. */
async function held(page: Page, path: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(path, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

const FILE = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") };

/** As a drop of a file on the composer. */
async function drop(page: Page): Promise<void> {
  const data = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File(["notes"], "${FILE.name}", { type: "text/plain" })); return data; })()`,
  );
  await page.dispatchEvent("form.composer", "drop", { dataTransfer: data });
}

describe.skipIf(noBrowser !== null)("a prompt that is being written", () => {
  test("waits for its files, keeps them while another session is shown and across a reload, and goes with them", async () => {
    await using b = await bench();
    await shell(b, "one");
    await shell(b, "two");
    const { page, faults } = await b.seat();
    await open(page, "one", "reading");
    const release = await held(page, "**/uploads*");
    await page.fill("#composer", "echo");
    await drop(page);
    await page.waitForSelector("text=Uploading notes.txt");
    await page.press("#composer", "Enter");
    expect(await page.inputValue("#composer")).toBe("echo");
    expect(await page.isDisabled(".composer .main")).toBe(true);
    await page.click(row("two"));
    await page.waitForSelector(".head .title >> text=two");
    release();
    await page.click(row("one"));
    await page.waitForSelector(".files >> text=notes.txt");
    await page.reload();
    await page.waitForSelector(".files >> text=notes.txt");
    expect((await b.api.sends({ session: "one" })).sends).toEqual([]);
    // The first answer is lost; the second try is the same send.
    const attached: unknown[] = [];
    await page.route("**/send", async (route) => {
      attached.push(route.request().postDataJSON().attachments);
      if (attached.length > 1) return route.continue();
      await b.api.send({ session: "one", ...route.request().postDataJSON() });
      await route.abort();
    });
    await page.press("#composer", "Enter");
    await page.waitForSelector(".composer .error");
    await page.reload();
    await page.waitForSelector(".files >> text=notes.txt");
    await page.press("#composer", "Enter");
    await expect.poll(() => page.inputValue("#composer")).toBe("");
    expect(await page.locator(".files, .composer .error").count()).toBe(0);
    expect((await b.api.sends({ session: "one" })).sends).toHaveLength(1);
    expect(attached).toEqual([[expect.stringContaining("sha256:")], attached[0]]);
    expect(faults).toEqual([]);
  });

  test("what is typed while a send is under way stays", async () => {
    await using b = await bench();
    await shell(b, "one");
    const { page } = await b.seat();
    await open(page, "one", "reading");
    const release = await held(page, "**/send");
    await page.fill("#composer", "echo first");
    await page.press("#composer", "Enter");
    await page.waitForSelector(".composer .main:disabled");
    await page.locator("#composer").pressSequentially(" and second");
    release();
    await expect.poll(() => page.inputValue("#composer")).toBe(" and second");
    expect((await b.api.sends({ session: "one" })).sends).toHaveLength(1);
  });

  test("a refused prompt can be sent again, and a cancellation that failed is reported", async () => {
    await using b = await bench();
    await working(b, "one");
    const { page } = await b.seat();
    await open(page, "one", "reading");
    const keys: string[] = [];
    await page.route("**/send", async (route) => {
      keys.push(route.request().postDataJSON().idempotency_key);
      if (keys.length > 1) return route.continue();
      const answer = await b.api.send({ session: "one", text: "held", queue: true, no_wait: true });
      const { id } = answer.receipt;
      if (id !== null) await b.api.cancelSend({ session: "one", send: id });
      await route.fulfill({ json: { ...answer, receipt: { ...answer.receipt, outcome: "refused", evidence: ["the agent is busy"] } } });
    });
    await page.fill("#composer", "echo twice");
    await page.press("#composer", "Enter");
    await page.waitForSelector(".composer .error >> text=the agent is busy");
    await page.press("#composer", "Enter");
    await expect.poll(() => page.inputValue("#composer")).toBe("");
    expect(keys).toHaveLength(2);
    expect(keys[1]).not.toBe(keys[0]);
    await page.route("**/sends/*", (route) => (route.request().method() === "DELETE" ? route.abort() : route.continue()));
    await page.click(".receipts li:has-text('waits') >> text=Cancel");
    await page.waitForSelector(".composer .error >> text=DAEMON_UNREACHABLE");
  });

  test("keys tapped quickly on a phone arrive in their order", async () => {
    await using b = await bench();
    await b.api.create({ agent: "command", argv: ["cat", "-v"], cwd: b.dir, name: "keyed" });
    const { page } = await b.seat({ size: PHONE });
    await open(page, "keyed", "reading");
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let requests = 0;
    await page.route("**/keys", async (route) => {
      if (requests++ === 0) await released;
      await route.continue();
    });
    const labels = ["Up", "Left", "Down", "Right"];
    await page.evaluate(
      `for (const label of ${JSON.stringify(labels)}) document.querySelector('.keys [aria-label="' + label + '"]').click()`,
    );
    // The first one is slower than what the page requests after it.
    await page.evaluate(`fetch("v1/health").then((answer) => answer.text())`);
    release();
    await expect.poll(() => page.textContent(".screen")).toContain("^[[A^[[D^[[B^[[C");
  });
});

describe.skipIf(noBrowser !== null)("the keyboard and the focus", () => {
  test("Escape leaves only the menu, and the arrows scroll the text that has the focus", async () => {
    await using b = await bench();
    await shell(b, "one");
    await shell(b, "two");
    const { page } = await b.seat();
    await open(page, "one", "reading");
    await page.focus(".reading");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.click(".menu summary");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".menu[open]").count()).toBe(0);
    expect(await page.textContent(".head .title")).toBe("one");
    await page.keyboard.press("Escape");
    await expect.poll(() => new URL(page.url()).hash).toBe("#/");
  });

  test("renaming takes the focus once, and ends where the focus goes elsewhere", async () => {
    await using b = await bench();
    await shell(b, "one");
    const { page } = await b.seat();
    await open(page, "one", "reading");
    await page.click(".head .title");
    await page.keyboard.type("x");
    await page.click("#composer");
    await page.waitForSelector(".head .title >> text=one");
    await page.keyboard.type("to the prompt");
    // The head is drawn again.
    await b.api.set({ session: "one", task: "Something" });
    await b.api.send({ session: "one", text: "echo drawn-$((1+1))" });
    await expect.poll(() => page.textContent(".screen")).toContain("drawn-2");
    await page.keyboard.type(", all of it");
    expect(await page.inputValue("#composer")).toBe("to the prompt, all of it");
  });

  test("the form of a new session is kept, and sent again after a lost response it starts one session", async () => {
    await using b = await bench();
    const { page } = await b.seat();
    await page.keyboard.press("n");
    await page.waitForSelector('select.field option[value="shell"]', { state: "attached" });
    await page.selectOption("select.field", "shell");
    await page.fill('input[list="recent"]', b.dir);
    await page.fill(".form textarea", "echo by-the-form");
    await page.click(".brand");
    await page.click("text=New session");
    expect(await page.inputValue(".form textarea")).toBe("echo by-the-form");
    const keys: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/v1/sessions")) keys.push(request.headers()["idempotency-key"]);
    });
    // The first response is lost.
    await page.evaluate(`(() => {
      const real = fetch;
      window.fetch = async (input, init) => {
        const answer = await real(input, init);
        if (init?.method === "POST" && String(input).endsWith("/v1/sessions")) throw new TypeError("lost");
        return answer;
      };
    })()`);
    await page.click('.form button[type="submit"]');
    await page.waitForSelector(".form .error");
    await page.reload();
    await page.waitForSelector('select.field option[value="shell"]', { state: "attached" });
    await page.click('.form button[type="submit"]');
    await page.waitForSelector(".head .title");
    expect(keys).toEqual([expect.any(String), keys[0]]);
    expect((await b.api.list()).sessions).toHaveLength(1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await page.waitForSelector(".form textarea");
    expect(await page.inputValue(".form textarea")).toBe("");
  });

  test("a session that was started while the user went elsewhere does not take them away", async () => {
    await using b = await bench();
    await shell(b, "one");
    const { page } = await b.seat();
    await page.click("text=New session");
    await page.waitForSelector('select.field option[value="shell"]', { state: "attached" });
    await page.selectOption("select.field", "shell");
    await page.fill('input[list="recent"]', b.dir);
    await page.fill('.form label:has-text("Name") input', "made-here");
    const release = await held(page, "**/v1/sessions");
    await page.click('.form button[type="submit"]');
    await page.waitForSelector("text=Starting…");
    await page.keyboard.press("Escape");
    await page.click(".brand");
    await page.waitForSelector(row("one"));
    await open(page, "one", "reading");
    release();
    await page.waitForSelector(".notice >> text=made-here is started");
    expect(await page.textContent(".head .title")).toBe("one");
    await page.click(".notice >> text=Open");
    await page.waitForSelector(".head .title >> text=made-here");
  });
});
