import type { Page } from "playwright-core";
import { test as every, expect } from "vitest";
import { type Bench, benches, DESK, noBrowser } from "./page-fixture.js";

const bench = benches();

const test = every.skipIf(noBrowser !== null);

async function shell(b: Bench, name: string): Promise<void> {
  await b.api.create({ agent: "shell", cwd: b.dir, name });
  await b.api.wait({ session: name, until: "idle" });
}

async function watch(page: Page, name: string): Promise<void> {
  await page.click(`[data-session="${name}"]`);
  await page.waitForSelector(".xterm-rows");
}

const shown = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll(".xterm-rows > div")].map((row) => row.textContent.trimEnd()).filter(Boolean)`);

const sizeOf = async (b: Bench, name: string) => {
  const { columns, rows } = await b.api.capture({ session: name });
  return `${columns}x${rows}`;
};

test("is loaded on first use, receives keys, and leaves the page one chord", async () => {
  await using b = await bench();
  await shell(b, "typed");
  const { page, faults } = await b.seat();
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await page.waitForSelector('[data-session="typed"]');
  expect(loaded.filter((url) => url.includes("terminal"))).toEqual([]);
  await watch(page, "typed");
  expect(loaded.filter((url) => /terminal-view-[\w-]+\.js/.test(url))).toHaveLength(1);
  await page.click(".glass");
  await page.keyboard.type("echo typed-$((20+3)) k ? /");
  await page.keyboard.press("Enter");
  await expect.poll(() => shown(page)).toContainEqual("typed-23 k ? /");
  await page.keyboard.press("Control+.");
  await page.waitForSelector("dialog[open]");
  // Its keys are the page's again.
  await page.keyboard.press("Escape");
  await expect.poll(() => page.locator("dialog").count()).toBe(0);
  await page.keyboard.press("t");
  await page.waitForSelector(".reading");
  // The next task finds the palette open: a key typed right after the chord is the palette's.
  const opened = page.evaluate(`new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(document.querySelector("dialog")?.open === true);
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: ".", ctrlKey: true, bubbles: true }));
    port2.postMessage(null);
  })`);
  expect(await opened).toBe(true);
  await page.keyboard.type("write a prompt");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("composer");
  expect(faults).toEqual([]);
});

test("shows every colour and finds text, within the page's policy", async () => {
  await using b = await bench();
  await shell(b, "drawn");
  const { page, faults } = await b.seat();
  await watch(page, "drawn");
  await b.api.send({
    session: "drawn",
    text: "for i in $(seq 1 200); do echo line-$i; done; printf '\\033[38;2;10;200;30mtrue-%s\\033[0m\\n' colour; echo see http://127.0.0.1:9/there",
  });
  await expect.poll(() => shown(page)).toContainEqual("see http://127.0.0.1:9/there");
  const colour = `getComputedStyle([...document.querySelectorAll(".xterm-rows span")].find((span) => span.textContent === "true-colour")).color`;
  expect(await page.evaluate(colour)).toBe("rgb(10, 200, 30)");
  await page.click(".console-foot >> text=Find");
  await page.keyboard.type("line-17");
  await page.keyboard.press("Enter");
  await expect.poll(() => shown(page)).toContainEqual("line-179");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".console-foot >> text=Find");
  expect(faults).toEqual([]);
});

test("gives wide characters two cells, as tmux does", async () => {
  await using b = await bench();
  await shell(b, "wide");
  const { page, faults } = await b.seat();
  await watch(page, "wide");
  // Each is followed by an X in the column after two cells.
  await b.api.send({ session: "wide", text: "for each in 🚀 漢 🤖; do printf '%s\\033[3GX%s\\n' $each -; done" });
  const lines = ["🚀X-", "漢X-", "🤖X-"];
  await expect.poll(async () => (await b.api.capture({ session: "wide" })).lines).toEqual(expect.arrayContaining(lines));
  await expect.poll(() => shown(page)).toEqual(expect.arrayContaining(lines));
  expect(faults).toEqual([]);
});

test("has every line that was printed while the network was cut, and shows that it was", async () => {
  await using b = await bench();
  await shell(b, "cut");
  const { page, context } = await b.seat();
  await watch(page, "cut");
  await b.api.send({ session: "cut", text: "echo before-the-cut" });
  await expect.poll(() => shown(page)).toContainEqual("before-the-cut");
  await context.setOffline(true);
  await page.waitForSelector(".banner >> text=Not connected");
  await page.waitForSelector(".console-foot >> text=Not connected");
  await b.api.send({ session: "cut", text: "clear; for i in $(seq 1 30); do echo line-$i; done" });
  await expect.poll(async () => (await b.api.capture({ session: "cut" })).lines.join("\n")).toContain("line-30");
  expect(await shown(page)).not.toContainEqual("line-1");
  // What is typed at a screen of the past would come to whatever runs later.
  await page.click(".glass");
  await page.keyboard.type("echo typed-$((40+2))\n");
  await page.waitForSelector(".console-foot >> text=What you type now is not sent");
  await context.setOffline(false);
  await expect.poll(() => shown(page)).toContainEqual("line-30");
  const lines = Array.from({ length: 30 }, (_, index) => `line-${index + 1}`);
  expect((await shown(page)) as string[]).toEqual(expect.arrayContaining(lines));
  await expect.poll(() => page.locator(".banner >> text=Not connected").count()).toBe(0);
  await page.keyboard.type("echo again-$((1+1))\n");
  await expect.poll(() => shown(page)).toContainEqual("again-2");
  expect(await shown(page)).not.toContainEqual("typed-42");
});

test("taller than the window, it stays where it was scrolled while the program prints, until something is typed", async () => {
  await using b = await bench();
  await shell(b, "tall");
  const { page } = await b.seat({ size: { width: 1000, height: 400 } });
  await watch(page, "tall");
  const top = async () => Number(await page.evaluate(`document.querySelector(".glass").scrollTop`));
  await b.api.send({ session: "tall", text: "for i in $(seq 1 60); do echo line-$i; done" });
  await expect.poll(() => shown(page)).toContainEqual("line-60");
  await expect.poll(top).toBeGreaterThan(0);
  const heightOfGlass = () => page.evaluate(`document.querySelector(".glass").clientHeight`);
  const before = await heightOfGlass();
  await page.evaluate(`document.querySelector(".glass").scrollTop = 0`);
  await b.api.send({ session: "tall", text: "echo more-$((1+1))" });
  await expect.poll(() => shown(page)).toContainEqual("more-2");
  expect(await top()).toBe(0);
  await page.setViewportSize({ width: 1000, height: 420 });
  await expect.poll(heightOfGlass).not.toBe(before);
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
  expect(await top()).toBe(0);
  await page.click(".glass");
  await page.keyboard.type("echo x");
  await expect.poll(top).toBeGreaterThan(0);
});

test("continues after the daemon was killed and another one has started", async () => {
  await using b = await bench();
  await shell(b, "kept");
  const { page } = await b.seat();
  await watch(page, "kept");
  process.kill((await b.api.health()).pid, "SIGKILL");
  await page.waitForSelector(".banner >> text=Not connected");
  await b.tmpm("ls");
  await b.tmpm("send", "kept", "echo after-the-crash");
  await expect.poll(() => shown(page)).toContainEqual("after-the-crash");
  await expect.poll(() => page.locator(".banner").count()).toBe(0);
});

test("never changes a size by watching, and a viewer that takes the size decides it until release", async () => {
  await using b = await bench();
  await shell(b, "sized");
  const before = await sizeOf(b, "sized");
  const { page } = await b.seat();
  await watch(page, "sized");
  await page.waitForSelector(".console-foot >> text=the size is unchanged");
  await page.setViewportSize({ width: 1000, height: 500 });
  await page.setViewportSize(DESK);
  expect(await sizeOf(b, "sized")).toBe(before);
  await page.click("text=Fit to this window");
  await page.waitForSelector(".console-foot >> text=this window decides the size");
  const taken = await sizeOf(b, "sized");
  expect(taken).not.toBe(before);
  const other = await b.seat({ size: { width: 900, height: 600 } });
  await watch(other.page, "sized");
  await other.page.waitForSelector(".console-foot >> text=another viewer decides the size");
  expect(await sizeOf(b, "sized")).toBe(taken);
  await other.page.click("text=Take over the size");
  await other.page.waitForSelector(".console-foot >> text=this window decides the size");
  await page.waitForSelector(".console-foot >> text=another viewer decides the size");
  const takenOver = await sizeOf(b, "sized");
  expect(takenOver).not.toBe(taken);
  // The soft keyboard shrinks the window; a terminal is resized only if this window decides its size.
  await page.setViewportSize({ width: 1440, height: 500 });
  expect(await sizeOf(b, "sized")).toBe(takenOver);
  await other.page.click("text=Release the size");
  await other.page.waitForSelector(".console-foot >> text=the size is unchanged");
});
