import { describe, expect, test } from "vitest";
import { client, type Request, type Response } from "../src/client.js";
import { PATHS, type RouteName } from "../src/index.js";

const OK: Response = { status: 200, headers: { "tmpm-version": "1.0.0" }, body: "{}" };

/** A client that records its requests and gets the same response to each. */
function recorded(answer: Partial<Response> = {}, version?: string) {
  const requests: Request[] = [];
  const transport = {
    async request(request: Request) {
      requests.push(request);
      return { ...OK, ...answer };
    },
  };
  return { requests, tmpm: client({ transport, ...(version === undefined ? {} : { version }) }) };
}

function envelope(error: Record<string, unknown>): Partial<Response> {
  return { status: 409, body: JSON.stringify({ error: { hint: null, effect: "none", details: {}, ...error } }) };
}

describe("the client", () => {
  test("has a method for every route, and each uses the route's method", async () => {
    const { tmpm, requests } = recorded();
    expect(Object.keys(tmpm).sort()).toEqual(Object.keys(PATHS).sort());
    for (const route of Object.keys(PATHS) as RouteName[]) {
      const call: (input: Record<string, unknown>) => Promise<unknown> = tmpm[route] as never;
      const named = PATHS[route].path.matchAll(/:(\w+)/g);
      await call(Object.fromEntries(Array.from(named, ([, name]) => [name ?? "", "demo"])));
      expect(requests.at(-1)).toMatchObject({ method: PATHS[route].method });
      expect(requests.at(-1)?.path).not.toContain(":");
    }
  });

  test("puts parameters into the path, and the rest into the body", async () => {
    const { tmpm, requests } = recorded();
    await tmpm.send({ session: "a/b ?#%é", text: "grüße\n" }, { timeoutMs: 7 });
    expect(requests).toEqual([
      { method: "POST", path: "/v1/sessions/a%2Fb%20%3F%23%25%C3%A9/send", headers: {}, body: '{"text":"grüße\\n"}', timeoutMs: 7 },
    ]);
  });

  test("explains a request that is too long, whatever refused it", async () => {
    const { tmpm } = recorded({ status: 431, headers: {}, body: "" }, "1.1.0");
    const error = await tmpm.waitMany({ sessions: ["a"] }).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", effect: "none", hint: expect.stringContaining("fewer sessions or paths") });
  });

  test("puts the other fields of a query into the query string, and omits undefined ones", async () => {
    const { tmpm, requests } = recorded();
    await tmpm.list({ all: true, project_id: undefined });
    await tmpm.list();
    await tmpm.wait({ session: "demo", until: "exited", timeout_ms: 5 });
    expect(requests.map(({ path, body }) => [path, body])).toEqual([
      ["/v1/sessions?all=true", null],
      ["/v1/sessions", null],
      ["/v1/sessions/demo/wait?until=exited&timeout_ms=5", null],
    ]);
  });

  test("reports a missing session name as the caller's error, and matches nothing for a lone surrogate", async () => {
    const { tmpm, requests } = recorded();
    await expect(tmpm.show({ session: "" })).rejects.toThrow(TypeError);
    expect(requests).toEqual([]);
    await tmpm.show({ session: "\ud800" });
    expect(requests[0]?.path).toBe("/v1/sessions/%EF%BF%BD");
  });

  test("returns the response unchanged, with fields unknown to this version", async () => {
    const { tmpm } = recorded({ body: '{"status":"ok","from_the_future":[1]}' });
    expect(await tmpm.health()).toEqual({ status: "ok", from_the_future: [1] });
  });

  test("throws the daemon's error", async () => {
    const { tmpm } = recorded(
      envelope({ code: "SESSION_AMBIGUOUS", message: "two match", hint: "Type more.", details: { names: ["a", "b"] } }),
    );
    await expect(tmpm.show({ session: "a" })).rejects.toMatchObject({
      code: "SESSION_AMBIGUOUS",
      message: "two match",
      hint: "Type more.",
      effect: "none",
      details: { names: ["a", "b"] },
    });
  });

  test("throws an unknown error of a newer daemon as INTERNAL, with its code", async () => {
    const { tmpm } = recorded(envelope({ code: "BRAND_NEW", message: "news" }));
    await expect(tmpm.show({ session: "a" })).rejects.toMatchObject({ code: "INTERNAL", details: { unknown_code: "BRAND_NEW" } });
  });

  test.each([
    ["no JSON", { body: "<html>" }],
    ["no object", { body: "[]" }],
    ["an error without an envelope", { status: 500, body: "{}" }],
    ["a redirect", { status: 302, body: "{}" }],
  ])("takes %s as another program on the socket", async (_, answer) => {
    const { tmpm } = recorded(answer, "1.0.0");
    await expect(tmpm.show({ session: "a" })).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE", effect: "none" });
    await expect(tmpm.stop({ session: "a" })).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE", effect: "unknown" });
  });

  test("sends its version, and reports a daemon of another version", async () => {
    const { tmpm, requests } = recorded({}, "1.1.0");
    await expect(tmpm.list()).rejects.toMatchObject({
      code: "DAEMON_VERSION",
      effect: "none",
      message: expect.stringMatching(/1\.0\.0.*1\.1\.0/),
      hint: expect.stringContaining("tmpm daemon restart"),
    });
    expect(requests[0]?.headers).toEqual({ "tmpm-version": "1.1.0" });
    await expect(tmpm.keys({ session: "a", keys: ["Enter"] })).rejects.toMatchObject({ code: "DAEMON_VERSION", effect: "unknown" });
    await expect(recorded({ headers: {} }, "1.1.0").tmpm.list()).rejects.toMatchObject({ code: "DAEMON_VERSION" });
  });

  test("reports effect none for a refusal by a daemon of another version", async () => {
    const { tmpm } = recorded(envelope({ code: "INVALID_ARGUMENT", message: "what is this" }), "1.1.0");
    await expect(tmpm.keys({ session: "a", keys: ["Enter"] })).rejects.toMatchObject({ code: "DAEMON_VERSION", effect: "none" });
  });

  test("without its own version, accepts any daemon", async () => {
    await expect(recorded().tmpm.list()).resolves.toEqual({});
    await expect(recorded({}, "1.0.0").tmpm.list()).resolves.toEqual({});
  });
});
