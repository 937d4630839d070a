import { runInNewContext } from "node:vm";
import type { LoginCodeAnswer } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { pageHeaders } from "../../src/guard/headers.js";
import { logins } from "../../src/tokens/logins.js";
import { LABEL, openDoors, SECRETS } from "../fixtures/door-fixture.js";
import { rawRequest, requestText } from "../fixtures/raw-request.js";

type Fixture = Awaited<ReturnType<typeof openDoors>>;

async function codeFor(fixture: Fixture, body = "{}"): Promise<LoginCodeAnswer> {
  const answer = await rawRequest({ path: fixture.socket }, requestText("POST /v1/login-codes", [["host", "localhost"]], body));
  expect([answer.status, answer.body]).toEqual([201, expect.any(String)]);
  return JSON.parse(answer.body) as LoginCodeAnswer;
}

function send(
  fixture: Fixture,
  line: string,
  { cookie, origin = "own", body = "", host = `${LABEL}.localhost:${fixture.port}` }: Sent = {},
) {
  const headers: (readonly [string, string])[] = [["host", host]];
  if (origin !== null) headers.push(["origin", origin === "own" ? `http://${host}` : origin], ["sec-fetch-site", "same-origin"]);
  if (cookie !== undefined) headers.push(["cookie", cookie]);
  return rawRequest({ host: "127.0.0.1", port: fixture.port }, requestText(line, headers, body));
}

interface Sent {
  readonly cookie?: string;
  readonly origin?: string | null;
  readonly body?: string;
  readonly host?: string;
}

const logIn = (fixture: Fixture, code: string, sent: Sent = {}) =>
  send(fixture, "POST /v1/login", { ...sent, body: JSON.stringify({ code }) });

describe("browser login", () => {
  test("a code logs in once, is in the fragment of the address only, and does not contain the token", async () => {
    const fixture = await openDoors();
    const { code, url, scope } = await codeFor(fixture);
    expect([url, scope]).toEqual([`http://${LABEL}.localhost:${fixture.port}/login#${code}`, "operator"]);
    expect(Buffer.from(code, "base64url")).toHaveLength(16);
    const entered = await logIn(fixture, code, { cookie: `tmpm_${fixture.port}=${SECRETS.expired}` });
    expect([entered.status, JSON.parse(entered.body)]).toEqual([200, { scope: "operator", expires_at: expect.any(String) }]);
    const cookie = /set-cookie: (.+)/i.exec(entered.head)?.[1] ?? "";
    expect(cookie).toMatch(new RegExp(`^tmpm_${fixture.port}=tmpm_[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000\\r?$`));
    const held = cookie.split(";", 1)[0] ?? "";
    expect((await send(fixture, "GET /v1/sessions", { cookie: held })).status).toBe(200);
    expect((await send(fixture, "POST /v1/undo", { cookie: held, body: "{}" })).status).toBe(200);
    expect((await send(fixture, "GET /v1/tokens", { cookie: held })).status).toBe(403);
    expect((await send(fixture, "POST /v1/undo", { cookie: held, body: "{}", origin: null })).status).toBe(401);
    expect((await send(fixture, "GET /v1/sessions", { cookie: held, origin: null })).status).toBe(401);
    expect((await send(fixture, "GET /v1/sessions", { cookie: `${held}; ${held}` })).status).toBe(401);
    const bearer = [["host", `127.0.0.1:${fixture.port}`] as const, ["authorization", `Bearer ${held.split("=", 2)[1]}`] as const];
    expect((await rawRequest({ host: "127.0.0.1", port: fixture.port }, requestText("GET /v1/sessions", bearer))).status).toBe(401);
    expect((await logIn(fixture, code)).status).toBe(401);
  });

  test("one of twenty simultaneous requests with the same code succeeds", async () => {
    const fixture = await openDoors();
    const { code } = await codeFor(fixture, '{"scope":"observer"}');
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await logIn(fixture, code)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status !== 200 && status !== 401 && status !== 429)).toEqual([]);
  });

  test("login works from the daemon's own page only, and wrong codes count like wrong tokens", async () => {
    const fixture = await openDoors();
    const { code } = await codeFor(fixture);
    for (const origin of ["http://evil.example", `http://localhost:${fixture.port + 1}`, "null"])
      expect((await logIn(fixture, code, { origin })).status).toBe(403);
    expect((await logIn(fixture, code, { origin: null })).status).toBe(401);
    expect((await logIn(fixture, code, { host: `evil.example:${fixture.port}` })).status).toBe(421);
    const onSocket = requestText("POST /v1/login", [["host", "localhost"]], JSON.stringify({ code }));
    expect((await rawRequest({ path: fixture.socket }, onSocket)).status).toBe(403);
    for (let n = 0; n < 10; n++) expect((await logIn(fixture, "wrong")).status).toBe(401);
    expect((await logIn(fixture, "wrong")).status).toBe(429);
    expect((await logIn(fixture, code)).status).toBe(200);
  });

  test("login needs a TCP address", async () => {
    const fixture = await openDoors({ tcp: null });
    const answer = await rawRequest({ path: fixture.socket }, requestText("POST /v1/login-codes", [["host", "localhost"]], "{}"));
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([400, "LISTEN_REFUSED"]);
  });
});

describe("the login page", () => {
  const PAGE = { origin: null } as const;

  test("needs no token, and its policy allows its script", async () => {
    const fixture = await openDoors();
    const page = await send(fixture, "GET /login", PAGE);
    expect([page.status, /content-type: (.*)\r/i.exec(page.head)?.[1]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.head).toMatch(/content-security-policy: .*script-src 'self'/i);
    expect(page.body).not.toMatch(/<script>|<style|style=|onclick=|https?:/);
    for (const file of ["login.js", "login.css"]) {
      expect(page.body).toContain(`"${file}"`);
      expect((await send(fixture, `GET /${file}`)).status).toBe(200);
    }
    expect((await send(fixture, "GET /login?x", PAGE)).status).toBe(401);
  });

  test("exchanges the code of its address, removes it from the history, and opens the dashboard", async () => {
    const fixture = await openDoors();
    const { url } = await codeFor(fixture);
    const opened = await openPage(fixture, url);
    expect(opened).toEqual({ shown: "./", said: null, cookies: 1 });
    expect(await openPage(fixture, url)).toMatchObject({
      shown: "/login",
      said: expect.stringContaining("the code is invalid"),
      cookies: 0,
    });
    const bare = url.split("#", 1)[0] ?? "";
    expect(await openPage(fixture, bare)).toMatchObject({ shown: "/login", said: expect.stringContaining("tmpm web"), cookies: 0 });
  });

  test("does not take the place in a link to the dashboard for a code, and opens it after the login", async () => {
    const fixture = await openDoors();
    const { url } = await codeFor(fixture);
    const root = new URL("/#/s/5a1f6a52", url).href;
    expect(await openPage(fixture, root)).toMatchObject({ said: expect.stringMatching(/^Log in to see your sessions/), cookies: 0 });
    const code = url.slice(url.indexOf("#"));
    expect(await openPage(fixture, root, code)).toEqual({ shown: "./#/s/5a1f6a52", said: expect.any(String), cookies: 1 });
  });
});

/** Runs the page's script with stubs of the browser APIs that it uses. A code is typed when the page asks for one. */
async function openPage(
  fixture: Fixture,
  url: string,
  code: string | null = null,
): Promise<{ readonly shown: string; readonly said: string | null; readonly cookies: number }> {
  const { pathname, hash } = new URL(url);
  const found = { shown: `${pathname}${hash}`, said: null as string | null, cookies: 0 };
  let settled: () => void = () => undefined;
  let typed = code;
  const field = { value: "", addEventListener: () => undefined };
  let submit: (event: { preventDefault(): void }) => void = () => undefined;
  const form = {
    hidden: true,
    addEventListener(_type: string, listener: typeof submit) {
      submit = listener;
    },
  };
  const asked = () => {
    if (typed === null) return settled();
    [field.value, typed] = [typed, null];
    submit({ preventDefault: () => undefined });
  };
  const said = {
    set textContent(text: string) {
      found.said = text;
      asked();
    },
  };
  const over = new Promise<void>((resolve) => {
    settled = resolve;
  });
  const browser = {
    location: {
      hash,
      pathname,
      reload: () => settled(),
    },
    navigator: { userAgent: "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36" },
    history: {
      replaceState(_state: null, _title: string, to: string) {
        found.shown = to;
      },
    },
    document: {
      getElementById: (id: string) => ({ said, form, code: field })[id],
    },
    async fetch(path: string, { method = "GET", body = "" }: { readonly method?: string; readonly body?: string } = {}) {
      const answer = await send(fixture, `${method} /${path}`, { body });
      found.cookies += /set-cookie:/i.test(answer.head) ? 1 : 0;
      return { ok: answer.status === 200, json: async () => JSON.parse(answer.body) };
    },
  };
  runInNewContext((await send(fixture, "GET /login.js")).body, browser);
  await over;
  return found;
}

test("a code expires after a minute, and only the newest sixteen are valid", async () => {
  const fixture = await openDoors();
  const entrance = fixture.doors.tcp?.entrance ?? null;
  let now = 0;
  let made = 0;
  const opened = logins({
    tokens: { create: async ({ scope }) => ({ token: { scope } as never, secret: "s" }) },
    guard: fixture.guard,
    entrance: () => entrance,
    clock: () => now,
    randomBytes: (count) => Buffer.alloc(count, ++made),
  });
  if (entrance === null) throw new Error("no TCP");
  const admitted = { requestId: "r", host: "localhost", entrance, caller: { kind: "anyone", peer: "127.0.0.1" } } as const;
  const late = opened.code("operator").code;
  now = 60_000;
  await expect(opened.login({ code: late }, admitted)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  const codes = Array.from({ length: 17 }, () => opened.code("observer").code);
  await expect(opened.login({ code: codes[0] ?? "" }, admitted)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect((await opened.login({ code: codes[1] ?? "" }, admitted)).token.scope).toBe("observer");
});

test("a page gets a policy that allows only the daemon's files to run", () => {
  const policy = pageHeaders("abc")["content-security-policy"] ?? "";
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toMatch(/unsafe|\*|https?:|wss?:/);
  for (const part of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"])
    expect(policy).toContain(part);
});
