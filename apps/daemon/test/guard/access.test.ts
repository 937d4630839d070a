import { connect } from "node:net";
import { CONTRACTS, type Contract, PATHS, type RouteName, VERSION_HEADER } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { failures } from "../../src/guard/failures.js";
import { openDoors, SECRETS, SESSION, SESSION_SECRET } from "../fixtures/door-fixture.js";
import { type RawAnswer, rawRequest, requestText } from "../fixtures/raw-request.js";

type Fixture = Awaited<ReturnType<typeof openDoors>>;

const NAMES = Object.keys(PATHS) as RouteName[];

function ask(
  fixture: Fixture,
  line: string,
  { secret, via = "tcp", body = "" }: { secret?: string; via?: "tcp" | "socket"; body?: string } = {},
) {
  const where = via === "socket" ? { path: fixture.socket } : { host: "127.0.0.1", port: fixture.port };
  const host = via === "socket" ? "localhost" : `127.0.0.1:${fixture.port}`;
  const shown = secret === undefined ? [] : ([["authorization", `Bearer ${secret}`]] as const);
  return rawRequest(where, requestText(line, [["host", host], ...shown], body));
}

function codeOf({ body }: RawAnswer): string {
  return (JSON.parse(body) as { error: { code: string } }).error.code;
}

function lineOf(name: RouteName): string {
  return `${PATHS[name].method} ${PATHS[name].path.replace(":session", SESSION).replace(/:\w+/g, "x")}`;
}

describe("scopes", () => {
  test("every route declares a scope, and observers get only the reading ones", () => {
    for (const name of NAMES) {
      const { scope }: Contract = CONTRACTS[name];
      expect(["admin", "operator", "observer", "session", "anyone"], name).toContain(scope);
      if (PATHS[name].method !== "GET") expect(scope, name).not.toBe("observer");
    }
    const only = (wanted: string) => NAMES.filter((name) => CONTRACTS[name].scope === wanted).sort();
    expect(only("anyone")).toEqual(["login"]);
    expect(only("session")).toEqual(["hook"]);
    expect(NAMES.filter((name) => (CONTRACTS[name] as Contract).own)).toEqual(["show"]);
  });

  test("a token gets 403 on every route above its scope, on the socket too, and no operation runs", { timeout: 180_000 }, async () => {
    const fixture = await openDoors();
    for (const [holder, ranks] of [
      ["observer", ["operator", "admin"]],
      ["operator", ["admin"]],
    ] as const) {
      const above = NAMES.filter((name) => (ranks as readonly string[]).includes(CONTRACTS[name].scope));
      expect(above.length).toBeGreaterThan(holder === "observer" ? 30 : 8);
      for (const name of above)
        for (const via of ["tcp", "socket"] as const) {
          const body = PATHS[name].method === "POST" ? "{}" : "";
          const answer = await ask(fixture, lineOf(name), { secret: SECRETS[holder], via, body });
          expect([name, answer.status, codeOf(answer)]).toEqual([name, 403, "SCOPE_REFUSED"]);
        }
    }
    expect(fixture.calls).toEqual([]);
  });

  test("a session's token authorizes only requests for its own session, and only where the contract allows it", async () => {
    const fixture = await openDoors();
    const other = SESSION.replace("0b6f", "0b6e");
    for (const via of ["tcp", "socket"] as const) {
      const as = { secret: SESSION_SECRET, via };
      expect((await ask(fixture, `GET /v1/sessions/${SESSION}`, as)).status).toBe(200);
      expect((await ask(fixture, `GET /v1/sessions/${other}`, as)).status).toBe(401);
      expect((await ask(fixture, "GET /v1/sessions/demo", as)).status).toBe(401);
      expect((await ask(fixture, "GET /v1/sessions", as)).status).toBe(401);
      expect(codeOf(await ask(fixture, `GET /v1/sessions/${SESSION}/screen`, as))).toBe("SCOPE_REFUSED");
      expect(codeOf(await ask(fixture, `POST /v1/sessions/${SESSION}/send`, { ...as, body: '{"text":"x"}' }))).toBe("SCOPE_REFUSED");
    }
    expect(fixture.calls).toEqual(["show", "show"]);
  });

  test("a route whose contract states no scope is refused to every caller", async () => {
    const fixture = await openDoors({ extend: (app) => void app.get("/forgotten", async () => "everything") });
    for (const as of [{ secret: SECRETS.admin }, { secret: SESSION_SECRET }, { via: "socket" as const }]) {
      const answer = await ask(fixture, "GET /forgotten", as);
      expect([answer.status, answer.body.includes("everything")]).toEqual([500, false]);
    }
  });

  test("unknown routes are reported as such only to authorized callers", async () => {
    const fixture = await openDoors();
    expect([
      (await ask(fixture, "GET /v1/nothing")).status,
      (await ask(fixture, "GET /v1/nothing", { secret: SECRETS.observer })).status,
    ]).toEqual([401, 404]);
    expect((await ask(fixture, "GET /v1/nothing", { secret: SESSION_SECRET })).status).toBe(401);
  });
});

describe("every answer", () => {
  test("has headers that keep it out of other pages, frames and caches", async () => {
    const fixture = await openDoors();
    const answers = [
      await ask(fixture, "GET /healthz", { secret: SECRETS.observer }),
      await ask(fixture, "GET /healthz", { via: "socket" }),
      await ask(fixture, "GET /healthz"),
      await ask(fixture, "GET /v1/nothing", { secret: SECRETS.observer }),
      await ask(fixture, "GET /v1/tokens", { secret: SECRETS.observer }),
      await ask(fixture, "OPTIONS /v1/sessions", { secret: SECRETS.observer }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 403, 405]);
    for (const { head } of answers) {
      const lines = head.toLowerCase().split("\r\n");
      for (const line of [
        "cache-control: no-store",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
        "cross-origin-opener-policy: same-origin",
        `${VERSION_HEADER}: 1.2.3`,
      ])
        expect(lines).toContain(line);
      expect(head).toMatch(/content-security-policy: default-src 'none';.*frame-ancestors 'none'/i);
      expect(head).toMatch(/tmpm-request-id: [0-9a-f-]{36}/i);
      expect(head).not.toMatch(/access-control-|x-powered-by|server:/i);
    }
    expect(answers[2]?.head).toMatch(/www-authenticate: Bearer/i);
    expect(answers[5]?.head).toMatch(/allow: DELETE, GET, POST/i);
  });
});

describe("wrong tokens", () => {
  test("get 429 after ten in a minute, and valid tokens are not delayed", async () => {
    const fixture = await openDoors();
    const wrong = async () => (await ask(fixture, "GET /v1/sessions", { secret: SECRETS.wrong })).status;
    for (let n = 0; n < 10; n++) expect(await wrong()).toBe(401);
    const limited = await ask(fixture, "GET /v1/sessions", { secret: SECRETS.expired });
    expect([limited.status, codeOf(limited)]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(/retry-after: (\d+)/i.exec(limited.head)?.[1])).toBeGreaterThan(0);
    for (let n = 0; n < 20; n++) expect((await ask(fixture, "GET /v1/sessions", { secret: SECRETS.observer })).status).toBe(200);
    expect(await wrong()).toBe(429);
    expect((await ask(fixture, "GET /v1/sessions")).status).toBe(401);
    expect((await ask(fixture, "GET /v1/sessions", { secret: SECRETS.wrong, via: "socket" })).status).toBe(401);
  });

  test("are counted per minute and per network, for a limited number of networks", () => {
    let now = 0;
    const counted = failures({ now: () => now, limit: 2, maxPeers: 100 });
    expect([1, 2, 3].map(() => counted.count("10.0.0.1"))).toEqual([null, null, 60]);
    now = 45_500;
    expect(counted.count("10.0.0.1")).toBe(15);
    expect(counted.count("10.0.0.2")).toBeNull();
    now = 60_000;
    expect(counted.count("10.0.0.1")).toBeNull();
    expect(["2001:db8:0:1::1", "2001:db8:0:1::2", "2001:db8:0:1:9:9:9:9", "2001:db8:0:2::1"].map(counted.count)).toEqual([
      null,
      null,
      60,
      null,
    ]);
    for (let n = 0; n < 10_000; n++) counted.count(`10.1.${n >> 8}.${n & 255}`);
    expect(counted.count("2001:db8:0:1::3")).toBeNull();
  });
});

describe("connections of one token", () => {
  /** Opens one, and resolves with a promise of its end once the response has begun. */
  async function held(fixture: Fixture, bytes: string): Promise<{ readonly ended: Promise<true> }> {
    const socket = connect({ host: "127.0.0.1", port: fixture.port });
    const ended = new Promise<true>((resolve) => socket.once("close", () => resolve(true)));
    socket.on("error", () => undefined);
    socket.write(bytes);
    await new Promise((resolve) => socket.once("data", resolve));
    return { ended };
  }

  const text = (fixture: Fixture, line: string, extra: readonly (readonly [string, string])[] = []) =>
    requestText(line, [["host", `127.0.0.1:${fixture.port}`], ["authorization", `Bearer ${SECRETS.observer}`], ...extra]);
  const upgrade = [
    ["connection", "Upgrade"],
    ["upgrade", "websocket"],
  ] as const;

  test.each(["rotateToken", "revokeToken"] as const)("all end at once with %s: idle ones, streams and WebSockets", async (route) => {
    const fixture = await openDoors();
    const idle = await held(fixture, text(fixture, "GET /v1/sessions"));
    const reading = await held(fixture, text(fixture, "GET /v1/events", [["accept", "text/event-stream"]]));
    const watching = await held(fixture, text(fixture, `GET /v1/sessions/${SESSION}/stream`, upgrade));
    const line = lineOf(route).replace("/x", "/observer");
    const answer = await ask(fixture, line, { secret: SECRETS.admin, body: route === "rotateToken" ? "{}" : "" });
    expect(answer.status).toBe(200);
    await Promise.all([idle.ended, reading.ended, watching.ended]);
    expect((await ask(fixture, "GET /v1/sessions", { secret: SECRETS.observer })).status).toBe(401);
    const { secret } = JSON.parse(answer.body) as { secret?: string };
    if (route === "rotateToken") expect((await ask(fixture, "GET /v1/sessions", { secret: secret ?? "" })).status).toBe(200);
  });

  test("end when the token expires, and a token that revokes itself still gets its answer", async () => {
    const fixture = await openDoors();
    const made = await ask(fixture, "POST /v1/tokens", { via: "socket", body: '{"scope":"admin","name":"brief","expires_ms":1000}' });
    const { secret } = JSON.parse(made.body) as { secret: string };
    const idle = await held(fixture, text(fixture, "GET /v1/sessions").replace(SECRETS.observer, secret));
    const sweep = async () => {
      fixture.guard.sweep();
      return Promise.race([idle.ended, false]);
    };
    await expect.poll(sweep).toBe(true);
    const own = await ask(fixture, "DELETE /v1/tokens/admin", { secret: SECRETS.admin });
    expect([own.status, JSON.parse(own.body).name]).toEqual([200, "admin"]);
    expect((await ask(fixture, "GET /v1/tokens", { secret: SECRETS.admin })).status).toBe(401);
  });
});
