import { CONTRACTS, PATHS, type RouteName } from "@tmpm/api";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { foreignPage } from "./foreign-page.js";
import { type Bench, benches, noBrowser, OTHER_NAME } from "./page-fixture.js";

const bench = benches();

if (noBrowser !== null) console.warn(`the page's security is not tried in a browser: ${noBrowser}`);

const LOGIN = "#form";

/** The daemon's origin, from a browser's point of view. */
async function address(b: Bench): Promise<URL> {
  return new URL("/", (await b.api.createLoginCode({})).url);
}

/** A foreign page, in a logged-in browser. It has the daemon's host name, so the browser sends the cookie. */
async function besides(page: Page, port: number): Promise<void> {
  await page.goto(Object.assign(new URL(page.url()), { port: String(port), pathname: "/", hash: "" }).href);
}

/** The outcome of a page's request: its status, or that the page gets no information. */
async function asks(page: Page, url: string, init: RequestInit = {}): Promise<number | "refused"> {
  return page.evaluate(
    ([to, how]) =>
      fetch(to, how).then(
        ({ status }) => status,
        () => "refused" as const,
      ),
    [url, init] as const,
  );
}

async function socketOpens(page: Page, url: string): Promise<boolean> {
  return page.evaluate(
    (to) =>
      new Promise<boolean>((resolve) => {
        const socket = new WebSocket(to);
        socket.onopen = () => resolve(true);
        socket.onerror = () => resolve(false);
      }),
    url,
  );
}

describe.skipIf(noBrowser !== null)("the daemon refuses a browser", () => {
  test("a used login code, and everything without a login", async () => {
    await using b = await bench();
    const { page, context } = await b.seat();
    const { url } = await b.api.createLoginCode({});
    const [thief, stranger] = [await context.newPage(), await context.newPage()];
    await context.clearCookies();
    await page.goto("about:blank");
    await page.goto(url);
    await page.waitForSelector(".list");
    expect(page.url()).not.toContain(new URL(url).hash.slice(1));
    await context.clearCookies();
    await thief.goto(url);
    await thief.waitForSelector(LOGIN);
    expect(await thief.textContent("#said")).toContain("the code is invalid");
    const front = await stranger.goto(new URL("/", url).href);
    await stranger.waitForSelector(LOGIN);
    expect([front?.status(), await stranger.title()]).toEqual([200, "tmpm: log in"]);
    for (const path of ["sw.js", "manifest.webmanifest", "v1/sessions", "v1/devices"])
      expect([path, await asks(stranger, new URL(`/${path}`, url).href)]).toEqual([path, 401]);
    const stream = new URL("/v1/sessions/x/stream", url.replace("http:", "ws:"));
    expect(await socketOpens(stranger, Object.assign(stream, { hash: "" }).href)).toBe(false);
    await stranger.fill("#code", (await b.api.createLoginCode({})).url);
    await stranger.click("button");
    await stranger.waitForSelector(".list");
  });

  test("requests, WebSockets and frames of a foreign page that has the cookie", async () => {
    await using b = await bench();
    await using other = await foreignPage();
    await b.api.create({ agent: "shell", cwd: b.dir, name: "victim" });
    const { page } = await b.seat();
    const own = new URL("/", page.url());
    const stream = `ws://${own.host}/v1/sessions/victim/stream`;
    expect([await asks(page, `${own}v1/counts`), await socketOpens(page, stream)]).toEqual([200, true]);
    await besides(page, other.port);
    for (const mode of ["cors", "no-cors"] as const)
      await asks(page, `${own}v1/undo`, { method: "POST", mode, credentials: "include", body: "{}" });
    expect(await asks(page, `${own}v1/counts`, { credentials: "include" })).toBe("refused");
    const create = { agent: "shell", cwd: b.dir, name: "planted" };
    await asks(page, `${own}v1/sessions`, { method: "POST", mode: "no-cors", credentials: "include", body: JSON.stringify(create) });
    expect(await socketOpens(page, stream)).toBe(false);
    expect((await b.api.list()).sessions.map(({ name }) => name)).toEqual(["victim"]);
    for (const path of ["", "login", "v1/counts"]) {
      await page.evaluate(
        (src) =>
          new Promise((resolve) => {
            const frame = Object.assign(document.createElement("iframe"), { src, onload: resolve, onerror: resolve });
            document.body.replaceChildren(frame);
          }),
        `${own}${path}`,
      );
      const [, framed] = page.frames();
      expect([path, await framed?.locator("#form, .list").count(), framed?.url().startsWith("chrome-error:")]).toEqual([path, 0, true]);
    }
  });

  test("a host name that resolves to it by DNS", async () => {
    await using b = await bench();
    const own = await address(b);
    const { page } = await b.seat();
    const answer = await page.goto(`http://${OTHER_NAME}:${own.port}/`);
    expect([answer?.status(), await page.textContent("body")]).toEqual([421, expect.stringContaining("HOST_REFUSED")]);
    // The response to a refused request has a policy that forbids all requests.
    expect(await asks(page, `http://${OTHER_NAME}:${own.port}/v1/sessions`)).toBe("refused");
  });

  test("all changing routes for an observer", async () => {
    await using b = await bench();
    await b.api.create({ agent: "shell", cwd: b.dir, name: "watched" });
    const { page } = await b.seat({ scope: "observer" });
    const own = new URL("/", page.url());
    const changing = (Object.keys(PATHS) as RouteName[]).filter(
      (name) => CONTRACTS[name].scope === "operator" || CONTRACTS[name].scope === "admin",
    );
    expect(changing.length).toBeGreaterThan(40);
    const answers = await Promise.all(
      changing.map(async (name) => {
        const { method, path } = PATHS[name];
        const url = `${own}${path.slice(1).replaceAll(/:\w+/g, "watched")}`;
        const headers = { "content-type": "application/json" };
        return [name, await asks(page, url, method === "POST" ? { method, headers, body: "{}" } : { method })];
      }),
    );
    expect(answers).toEqual(changing.map((name) => [name, 403]));
    expect((await b.api.list()).sessions).toMatchObject([{ name: "watched", state: "active" }]);
  });

  test("code and markup in a session's name, task, title or screen", async () => {
    await using b = await bench();
    const hostile = '<img src=x onerror="window.hit=1"><script>window.hit=2</script>';
    await b.api.create({ agent: "shell", cwd: b.dir, name: "hostile", task: hostile });
    await b.api.wait({ session: "hostile", until: "idle" });
    await b.api.send({ session: "hostile", text: `printf '\\033]0;%s\\007%s\\n' '${hostile}' '${hostile}'` });
    const { page, faults } = await b.seat();
    await page.click('[data-session="hostile"]');
    await page.waitForSelector(".session .head");
    await expect.poll(() => page.textContent(".session")).toContain("<img src=x onerror=");
    expect(await page.evaluate(() => ["hit" in window, document.querySelectorAll("img[src=x], script:not([src])").length])).toEqual([
      false,
      0,
    ]);
    expect(faults).toEqual([]);
  });
});
