import { setTimeout as sleep } from "node:timers/promises";
import { figure } from "../../../scripts/bench/figures.mjs";
import { median, quantile, timed } from "../../../scripts/bench/measure.mjs";
import { sessions } from "./workshop.mjs";

const RELOADS = 7;
const ROUNDS = 40;
const IDLE_MS = 20_000;
/** Ages below a minute change every second. */
const SETTLING_MS = 65_000;

/** Lets the first row be waited for, in ms since the navigation, and a text, in ms since 1970. Playwright's own waiting would occupy the page. */
const OBSERVER = `
  globalThis.firstRow = new Promise((resolve) => {
    globalThis.rowShown = resolve;
  });
  new MutationObserver(() => {
    if (document.querySelector(".row") === null) return;
    globalThis.rowShown(performance.now());
    if (globalThis.wanted && document.querySelector(".rows")?.textContent.includes(globalThis.wanted)) {
      globalThis.seen(Date.now());
      globalThis.wanted = null;
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
`;

export async function measureList(shop, { count, printing }) {
  const { api, context, base } = shop;
  await sessions(shop, { count: count - printing, name: "idle", argv: ["sleep", "100000"] });
  const page = await context.newPage();
  await page.addInitScript(OBSERVER);
  await page.goto(base);
  await page.waitForSelector(".row");
  await sleep(SETTLING_MS);
  await measureIdle(page, context);

  await sessions(shop, { count: printing, name: "printing", argv: ["sh", "-c", "while :; do date +%T.%N; sleep 0.5; done"] });
  const loads = [];
  for (let round = 0; round < RELOADS; round++) {
    await page.reload({ waitUntil: "commit" });
    loads.push(await page.evaluate("globalThis.firstRow"));
    await page.locator(".list-head .count", { hasText: String(count) }).waitFor();
  }
  figure(`list of ${count} sessions, ${printing} of which print: first rows`, { value: median(loads), unit: " ms", most: 1_000 });

  const [shown, asked] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const text = `round-${round}-end`;
    // Resolves once the text is waited for, and only then is it set.
    await page.evaluate((wanted) => {
      globalThis.wanted = wanted;
      globalThis.shown = new Promise((resolve) => {
        globalThis.seen = resolve;
      });
    }, text);
    const begun = Date.now();
    await api.set({ session: "idle0", task: text });
    shown.push((await page.evaluate("globalThis.shown")) - begun);
    asked.push(await timed(() => api.show({ session: "idle0" })));
  }
  const detail = `median ${median(shown).toFixed(0)} ms, ${(median(shown) / median(asked)).toFixed(0)}x a request`;
  figure("from an event to the screen, p95", { value: quantile(shown, 0.95), unit: " ms", most: 250, detail });
  await page.close();
}

async function measureIdle(page, context) {
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable");
  const busy = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value * 1_000;
  };
  const before = await busy();
  await sleep(IDLE_MS);
  figure("the page while nothing changes, of a core", { value: (100 * ((await busy()) - before)) / IDLE_MS, unit: " %", most: 5 });
}
