import { tmpdir } from "node:os";
import { PATHS, type RouteName } from "@tmpm/api";
import { TmpmError, timestampFromMs } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { call, type ServerFixture, serverFixture } from "../fixtures/server-fixture.js";

interface Ask {
  readonly path?: string;
  readonly query?: Record<string, string>;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

async function ask(l: ServerFixture, name: RouteName, { path = "demo", query = {}, body, headers = {} }: Ask = {}) {
  const { method, path: pattern } = PATHS[name];
  const url = pattern.replace(/:\w+/, path);
  const response = await l.app.inject({ method, url, query, headers, ...(method === "POST" ? { payload: body ?? {} } : {}) });
  return { status: response.statusCode, headers: response.headers, answer: response.statusCode === 304 ? null : response.json() };
}

async function create(l: ServerFixture, name: string, body: object = {}) {
  const { answer } = await ask(l, "create", { body: { cwd: tmpdir(), name, ...body } });
  return answer;
}

describe("lists", () => {
  test("pages are stable: unchanged entries are returned exactly once, even if others are added or removed meanwhile", async () => {
    const l = await serverFixture();
    const names = ["a1", "b2", "c3", "d4", "e5", "f6", "g7"];
    await create(l, "a1");
    const [first] = await l.store.list();
    if (first?.kind !== "session") throw new Error("no session was made");
    const put = (name: string, second: number) => {
      const at = timestampFromMs(Date.parse(first.record.created_at) + second * 1_000);
      l.store.put({ ...first, record: { ...first.record, id: crypto.randomUUID(), name, created_at: at } });
    };
    for (const [index, name] of names.entries()) if (index > 0) put(name, index);
    for (const sort of ["name", "-name", "created_at", "-created_at"]) {
      const seen: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const { answer } = await ask(l, "list", { query: { sort, limit: "2", ...(cursor === "" ? {} : { cursor }) } });
        seen.push(...answer.sessions.map(({ name }: { name: string }) => name));
        cursor = answer.next;
        if (seen.length > names.length) continue;
        put(`a0${seen.length}${sort}`, -seen.length);
        put(`z9${seen.length}${sort}`, 100 + seen.length);
      }
      const kept = seen.filter((name) => names.includes(name));
      expect(kept).toEqual(sort.startsWith("-") ? names.toReversed() : names);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });

  test("filters apply to state, activity, agent, words and owner", async () => {
    const l = await serverFixture();
    await create(l, "front", { agent: "command", argv: ["/bin/cat"] });
    await create(l, "back");
    await ask(l, "set", { path: "back", body: { task: "Fix the LOGIN form" } });
    await ask(l, "stop", { path: "front", body: { grace_ms: 10 } });
    const found = async (query: Record<string, string>) =>
      (await ask(l, "list", { query: { sort: "name", ...query } })).answer.sessions.map(({ name }: { name: string }) => name);
    expect(await found({ state: "active,stopped" })).toEqual(["back", "front"]);
    expect(await found({ state: "stopped" })).toEqual(["front"]);
    expect(await found({ activity: "exited" })).toEqual(["front"]);
    expect(await found({ agent: "shell" })).toEqual(["back"]);
    expect(await found({ q: "login" })).toEqual(["back"]);
    expect(await found({ owner: "nobody" })).toEqual([]);
    expect((await ask(l, "list", { query: { state: "asleep" } })).answer.error.code).toBe("INVALID_ARGUMENT");
  });

  test("sends and projects are paged alike; a cursor is valid only for its own list", async () => {
    const l = await serverFixture();
    await create(l, "demo");
    for (const key of ["k1", "k2", "k3"]) await ask(l, "send", { body: { text: `echo ${key}` }, headers: { "idempotency-key": key } });
    const first = (await ask(l, "sends", { query: { limit: "2" } })).answer;
    const second = (await ask(l, "sends", { query: { limit: "2", cursor: first.next } })).answer;
    const keys = [...first.sends, ...second.sends].map((send) => send.idempotency_key);
    expect([keys.sort(), second.next]).toEqual([["k1", "k2", "k3"], null]);
    for (const cursor of [first.next, "x", "bnVsbA", Buffer.from("[1,2").toString("base64url")]) {
      const { status, answer } = await ask(l, "list", { query: { limit: "1", cursor } });
      expect([status, answer.error.code]).toEqual([400, "INVALID_ARGUMENT"]);
    }
    await ask(l, "addProject", { body: { path: "/src/b" } });
    await ask(l, "addProject", { body: { path: "/src/a" } });
    const projects = (await ask(l, "projects", { query: { limit: "1" } })).answer;
    expect([projects.projects[0].path, typeof projects.next]).toEqual(["/src/a", "string"]);
  });
});

describe("conditions", () => {
  test("an unchanged session is not sent again", async () => {
    const l = await serverFixture();
    await create(l, "demo");
    const { headers, answer } = await ask(l, "show");
    const { etag = "" } = headers;
    expect(etag).toMatch(new RegExp(`^"${answer.rev}\\.[\\w-]{16}"$`));
    for (const known of [String(etag), `W/${etag}`, `"x", ${etag}`, `"${answer.rev}"`, "*"]) {
      const again = await ask(l, "show", { headers: { "if-none-match": known } });
      expect([known, again.status, again.headers.etag]).toEqual([known, 304, etag]);
    }
    await ask(l, "set", { body: { task: "other" } });
    expect((await ask(l, "show", { headers: { "if-none-match": String(etag) } })).status).toBe(200);
    expect((await ask(l, "show", { headers: { "if-none-match": `"${answer.rev}"` } })).status).toBe(200);
  });

  test("a change of a session with an outdated rev is refused with the current rev, and nothing is done", async () => {
    const l = await serverFixture();
    const { rev } = await create(l, "demo");
    const changed = await ask(l, "set", { body: { task: "mine" }, headers: { "if-match": `"${rev}"` } });
    expect([changed.status, changed.answer.rev]).toEqual([200, rev + 1]);
    const stale: readonly [RouteName, object][] = [
      ["set", { task: "too late" }],
      ["rename", { name: "other" }],
      ["pause", {}],
      ["stop", {}],
      ["restart", {}],
      ["remove", {}],
      ["markErrored", { message: "x" }],
      ["archive", {}],
      ["delete", {}],
      ["resume", {}],
      ["reactivate", {}],
    ];
    for (const [name, body] of stale) {
      const { status, answer } = await ask(l, name, { body, headers: { "if-match": `"${rev}"` } });
      expect([name, status, answer.error]).toMatchObject([name, 409, { code: "REV_CONFLICT", effect: "none", details: { rev: rev + 1 } }]);
    }
    const { answer } = await ask(l, "show");
    expect(answer).toMatchObject({ name: "demo", task: "mine", rev: rev + 1, state: "active" });
    const { etag } = (await ask(l, "show")).headers;
    expect((await ask(l, "set", { body: { task: "again" }, headers: { "if-match": String(etag) } })).status).toBe(200);
  });

  test("an unsupported condition is refused, not ignored", async () => {
    const l = await serverFixture();
    await create(l, "demo");
    expect((await ask(l, "set", { body: { task: "x" }, headers: { "if-match": "seven" } })).answer.error.code).toBe("INVALID_ARGUMENT");
    expect((await ask(l, "keys", { body: { keys: ["C-l"] }, headers: { "if-match": '"1"' } })).answer.error.code).toBe("INVALID_ARGUMENT");
  });
});

describe("requests with an idempotency key", () => {
  const KEY = { "idempotency-key": "job-1" };

  test("a keyed request acts once, for any number of repetitions", async () => {
    const l = await serverFixture();
    const body = { cwd: tmpdir() };
    const together = await Promise.all([1, 2, 3].map(() => ask(l, "create", { body, headers: KEY })));
    const later = await ask(l, "create", { body, headers: KEY });
    const answers = [...together, later];
    expect(new Set(answers.map(({ answer }) => answer.id)).size).toBe(1);
    expect(answers.map(({ headers }) => headers["idempotency-replayed"] ?? "first").sort()).toEqual(["first", "true", "true", "true"]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await l.store.list()).toHaveLength(1);
  });

  test("a key with different content is refused, and nothing is done", async () => {
    const l = await serverFixture();
    await ask(l, "create", { body: { cwd: tmpdir(), name: "demo" }, headers: KEY });
    for (const [name, body] of [
      ["create", { cwd: tmpdir(), name: "other" }],
      ["stop", {}],
    ] as const) {
      const { answer } = await ask(l, name, { body, headers: KEY });
      expect(answer.error).toMatchObject({ code: "IDEMPOTENCY_MISMATCH", effect: "none" });
    }
    expect((await ask(l, "list")).answer.sessions).toMatchObject([{ name: "demo", state: "active" }]);
  });

  test("a request without effect may be retried under its key; one with a possible effect is not repeated", async () => {
    const l = await serverFixture();
    const wrong = { cwd: tmpdir(), agent: "command", argv: ["/bin/cat"], name: "demo" };
    l.store.failNext("create", new TmpmError("STORAGE_FULL", "full"));
    expect((await ask(l, "create", { body: wrong, headers: KEY })).answer.error.code).toBe("STORAGE_FULL");
    expect((await ask(l, "create", { body: wrong, headers: KEY })).status).toBe(201);
    const keys = { body: { keys: ["C-l"] }, headers: { "idempotency-key": "job-2" } };
    l.store.failNext("find", new Error("a fault of the inside"));
    expect((await ask(l, "keys", keys)).answer.error).toMatchObject({ code: "INTERNAL", effect: "unknown" });
    expect((await ask(l, "keys", keys)).answer.error).toMatchObject({ code: "INTERNAL", effect: "unknown" });
  });

  test("the next daemon answers keyed requests like the last one", async () => {
    const l = await serverFixture();
    const body = { cwd: tmpdir(), name: "demo" };
    const created = await ask(l, "create", { body, headers: KEY });
    const next = await serverFixture({ kept: l.kept });
    expect((await ask(next, "create", { body, headers: KEY })).answer).toEqual(created.answer);
    const sent = await ask(l, "send", { body: { text: "echo x" }, headers: { "idempotency-key": "s" } });
    const resent = await ask(next, "send", { body: { text: "echo x" }, headers: { "idempotency-key": "s" } });
    expect(resent.answer.receipt).toEqual(sent.answer.receipt);
    expect((await ask(next, "send", { body: { text: "echo y" }, headers: { "idempotency-key": "s" } })).answer.error.code).toBe(
      "IDEMPOTENCY_MISMATCH",
    );
    await ask(next, "stop", { body: { grace_ms: 10 }, headers: { "idempotency-key": "stop" } });
    const last = await serverFixture({ kept: l.kept });
    expect((await ask(last, "stop", { body: { grace_ms: 10 }, headers: { "idempotency-key": "stop" } })).answer).toMatchObject({
      state: "stopped",
    });
  });

  test("requests interrupted by a crash create one session, and report what else may have happened", async () => {
    const l = await serverFixture();
    const body = { cwd: tmpdir(), name: "demo" };
    const { answer } = await ask(l, "create", { body, headers: KEY });
    await ask(l, "keys", { body: { keys: ["C-l"] }, headers: { "idempotency-key": "keys" } });
    const { documents } = await l.kept.requestStore.all();
    for (const [key, request] of documents) await l.kept.requestStore.put(key, { ...request, answer: null });
    const next = await serverFixture({ kept: l.kept });
    const again = await ask(next, "create", { body, headers: KEY });
    expect([again.status, again.answer.id]).toEqual([201, answer.id]);
    expect(await l.store.list()).toHaveLength(1);
    const pressed = await ask(next, "keys", { body: { keys: ["C-l"] }, headers: { "idempotency-key": "keys" } });
    expect(pressed.answer.error).toMatchObject({ code: "REQUEST_INTERRUPTED", effect: "unknown" });
  });

  test("keys are valid for a day; malformed keys are refused, and so is a second key in the body", async () => {
    const l = await serverFixture();
    const body = { cwd: tmpdir() };
    const first = await ask(l, "create", { body, headers: KEY });
    l.tmux.advance(25 * 3_600_000);
    expect((await ask(l, "create", { body, headers: KEY })).answer.id).not.toBe(first.answer.id);
    for (const key of ["", "two words", "x".repeat(201), "é"]) {
      expect((await ask(l, "create", { body, headers: { "idempotency-key": key } })).answer.error.code).toBe("INVALID_ARGUMENT");
    }
    await create(l, "demo");
    const both = { body: { text: "x", idempotency_key: "a" }, headers: { "idempotency-key": "b" } };
    expect((await ask(l, "send", both)).answer.error.code).toBe("INVALID_ARGUMENT");
    expect((await ask(l, "createToken", { body: { scope: "observer" }, headers: KEY })).answer.error.code).toBe("INVALID_ARGUMENT");
  });
});

describe("the API description", () => {
  test("the description is served for programs and people, and a strict browser accepts it", async () => {
    const l = await serverFixture();
    const json = await l.app.inject({ method: "GET", url: "/openapi.json" });
    expect([json.statusCode, json.json().openapi, json.json().info.version]).toEqual([200, "3.1.0", "1.2.3"]);
    const page = await l.app.inject({ method: "GET", url: "/docs" });
    const [, nonce = ""] = /<style nonce="([^"]+)">/.exec(page.body) ?? [];
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).toContain(`'nonce-${nonce}'`);
    expect((await l.app.inject({ method: "GET", url: "/docs" })).body).not.toContain(nonce);
  });

  test("errors in a request are reported, up to a readable number", async () => {
    const l = await serverFixture();
    await create(l, "demo");
    const { answer } = await ask(l, "keys", { body: { keys: Array.from({ length: 900 }, () => 1) } });
    expect([answer.error.code, answer.error.details.issues.length]).toEqual(["INVALID_ARGUMENT", 20]);
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
    expect(JSON.stringify((await ask(l, "keys", { body: many })).answer).length).toBeLessThan(10_000);
  });

  test("unknown fields are refused at every level", async () => {
    const l = await serverFixture();
    for (const [name, input] of [
      ["health", { query: { verbose: "1" } }],
      ["undo", { body: { sesion: "demo" } }],
      ["show", { session: "demo", query: { all: "true" } }],
    ] as const) {
      const response = await call(l, name, input);
      expect([name, response.statusCode, response.json().error.code]).toEqual([name, 400, "INVALID_ARGUMENT"]);
    }
  });
});
