import { setTimeout as sleep } from "node:timers/promises";
import pty from "node-pty";
import { atEnd } from "../../../scripts/bench/benchmark.mjs";
import { figure } from "../../../scripts/bench/figures.mjs";
import { median, timed } from "../../../scripts/bench/measure.mjs";
import { PROGRAM } from "./workshop.mjs";

const KEYS = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
const BURST_BYTES = 10_000_000;

/** A page that shows a session's terminal. */
async function opened({ context, base, api }, name) {
  const { id } = await api.show({ session: name });
  const page = await context.newPage();
  await page.goto(`${base}#/s/${id}/terminal`);
  await page.waitForSelector(".xterm-rows");
  await page.locator(".console-foot", { hasText: "the size is" }).waitFor();
  await page.click(".glass");
  return page;
}

/** From a key to its echo in the page and, alternating, in a PTY with `tmpm attach`. */
export async function measureKeys(shop) {
  const { api, env, home } = shop;
  for (const name of ["typed", "attached"]) await api.create({ agent: "command", name, cwd: home, argv: ["cat"] });
  const page = await opened(shop, "typed");
  const child = pty.spawn(PROGRAM, ["attach", "attached"], { cols: 120, rows: 30, cwd: home, env });
  atEnd(() => child.kill("SIGTERM"));
  let take = () => undefined;
  child.onData((data) => take(data));
  const [inPage, inPty] = [[], []];
  await sleep(3_000);
  for (const [index, key] of [...KEYS].entries()) {
    const typed = KEYS.slice(0, index + 1);
    // Resolves once the listener is there, and only then is the key pressed.
    await page.evaluate((wanted) => {
      globalThis.echoed = new Promise((resolve) => {
        let pressed = 0;
        addEventListener("keydown", () => (pressed = performance.now()), { capture: true, once: true });
        const rows = document.querySelector(".xterm-rows");
        const observer = new MutationObserver(() => {
          if (!rows.textContent.includes(wanted)) return;
          observer.disconnect();
          resolve(performance.now() - pressed);
        });
        observer.observe(rows, { subtree: true, childList: true, characterData: true });
      });
    }, typed);
    await page.keyboard.press(key);
    inPage.push(await page.evaluate("globalThis.echoed"));
    const echoed = new Promise((resolve) => {
      take = (data) => data.includes(key) && resolve();
    });
    inPty.push(
      await timed(() => {
        child.write(key);
        return echoed;
      }),
    );
    await sleep(60);
  }
  child.kill("SIGTERM");
  await page.close();
  const [ours, theirs] = [median(inPage), median(inPty)];
  const detail = `medians ${ours.toFixed(1)} and ${theirs.toFixed(1)} ms`;
  figure("key to echo, against `tmpm attach` in a PTY", { value: ours / theirs, most: 3, detail });
}

/** Output of 10 MB until its last line is in the page, against the same without a viewer. */
export async function measureBurst(shop) {
  const { api, home } = shop;
  await api.create({ agent: "shell", name: "burst", cwd: home });
  await api.wait({ session: "burst", until: "idle" });
  const print = (mark) => `head -c ${BURST_BYTES} /dev/zero | tr '\\0' x | fold -w 79; echo ${mark}-$((40+2))`;
  const bare = await timed(async () => {
    await api.send({ session: "burst", text: print("bare"), no_wait: true });
    await shows(api, "bare-42");
  });
  const page = await opened(shop, "burst");
  const viewed = await timed(async () => {
    await api.send({ session: "burst", text: print("seen"), no_wait: true });
    await page.locator(".xterm-rows", { hasText: "seen-42" }).waitFor();
  });
  const detail = `${(viewed / 1_000).toFixed(1)} s, without a viewer ${(bare / 1_000).toFixed(1)} s`;
  figure("10 MB of output until its end is shown, against no viewer", { value: viewed / bare, detail });
  await page.close();
}

async function shows(api, text) {
  while (!(await api.capture({ session: "burst" })).lines.join("\n").includes(text)) await sleep(20);
}

/** Time until a page shows that its daemon is silent on open connections. */
export async function measureSilence(shop) {
  const { api, context, base } = shop;
  const page = await context.newPage();
  await page.goto(base);
  await page.waitForSelector(".list");
  const { pid } = await api.health();
  const took = [];
  for (let round = 0; round < 3; round++) {
    // The next message of the feed proves that it is connected.
    await sleep(3_000);
    process.kill(pid, "SIGSTOP");
    const resume = atEnd(() => void process.kill(pid, "SIGCONT"));
    took.push(await timed(() => page.waitForSelector(".banner >> text=Not connected")));
    await resume();
    await page.locator(".banner").waitFor({ state: "detached" });
  }
  figure("until a silent connection is shown", { value: Math.max(...took) / 1_000, unit: " s", most: 5 });
  await page.close();
}

/** The heap of a page with a grid of eight terminals that print, after garbage collection. */
export async function measureMemory({ context, base, api, home }, { minutes }) {
  const argv = ["sh", "-c", "while :; do seq 1 40; date; sleep 0.5; done"];
  for (let at = 0; at < 8; at++) await api.create({ agent: "command", name: `grid${at}`, cwd: home, argv });
  const page = await context.newPage();
  await page.goto(`${base}#/grid`);
  await page.waitForFunction(() => document.querySelectorAll(".xterm-rows").length >= 8);
  const cdp = await context.newCDPSession(page);
  await cdp.send("HeapProfiler.enable");
  await cdp.send("Performance.enable");
  const heaps = [];
  // The first minute fills the scrollback.
  for (let at = 0; at < minutes * 4 + 4; at++) {
    await sleep(15_000);
    await cdp.send("HeapProfiler.collectGarbage");
    const { metrics } = await cdp.send("Performance.getMetrics");
    if (at >= 4) heaps.push(metrics.find(({ name }) => name === "JSHeapUsedSize").value / 2 ** 20);
  }
  const third = Math.max(1, Math.floor(heaps.length / 3));
  const [first, last] = [median(heaps.slice(0, third)), median(heaps.slice(-third))];
  const detail = `${first.toFixed(1)} to ${last.toFixed(1)} MiB in ${minutes} min`;
  figure("heap with eight terminals, last third against first", { value: last / first, most: 1.1, detail });
  await page.close();
}
