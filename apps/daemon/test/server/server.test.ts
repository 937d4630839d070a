import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONTRACTS, ErrorEnvelope, PATHS, type RouteName, VERSION_HEADER } from "@tmpm/api";
import { ERRORS, MAX_TEXT_BYTES } from "@tmpm/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { call, type ServerFixture as Fixture, serverFixture as fixture } from "../fixtures/server-fixture.js";

const FOREIGN = {
  ...{ id: "550e8400-e29b-41d4-a716-446655440000", tmux_name: "tmpm-api", cwd: "/w", task: "t", state: "active" },
  created_at: "2023-11-14T22:13:20Z",
};

/**
 * Covered elsewhere: answers to agents and reports with a session's token in `test/agent-reports.test.ts`; `adopt`, which needs another program's
 * session; logins over TCP in `login.test.ts`; files in `uploads.test.ts`; consent to a set-up in `supervisor/test/workspace/set-up.test.ts`; background
 * operations in `background-operations.test.ts`.
 */
const NEED_AN_AGENT: readonly RouteName[] = [
  "answer",
  "hook",
  "adopt",
  "createLoginCode",
  "login",
  "operation",
  "upload",
  "oneUpload",
  "discardUpload",
  "trust",
  // These need another machine: `test/nodes.test.ts`, `fleet/`.
  ...(["nodes", "addNode", "node", "removeNode", "setNode", "fleet", "addNodePrompt", "nodePrompts", "cancelNodePrompt"] as const),
  // These need a repository.
  ...([
    "diff",
    "finish",
    "comment",
    "comments",
    "dropComment",
    "setUpAgain",
    "pullRequest",
    "watchPullRequest",
    "fan",
    "group",
    "checkGroup",
    "pick",
  ] as const),
  // `supervisor/test/messages/messages.test.ts`
  ...(["question", "answerQuestion", "withdrawQuestion"] as const),
  // These need a browser or a door: `login.test.ts`, `push/`, `web/`.
  ...(["openWeb", "revokeDevice", "subscribePush", "unsubscribePush", "reportPresence", "testPush"] as const),
];

describe("every route follows its contract", () => {
  test("all routes work through the whole life of a session", async () => {
    const l = await fixture();
    const folder = mkdtempSync(join(tmpdir(), "tmpm-daemon-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "sessions.json"), JSON.stringify({ sessions: { [FOREIGN.id]: FOREIGN, odd: {} } }));
    const steps: readonly [RouteName, Parameters<typeof call>[2]?][] = [
      ["health"],
      ["ready"],
      ["whoami"],
      ["create", { body: { agent: "shell", cwd: tmpdir(), name: "demo" } }],
      ["import", { body: { from: "trusty-mpm", path: folder } }],
      ["export", { body: { to: "ao-rs", path: join(folder, "new") } }],
      ["list", { query: { all: "true" } }],
      ["show", { session: "demo" }],
      ["send", { session: "demo", body: { text: "echo x", idempotency_key: "k" } }],
      ["sends", { session: "demo" }],
      ["receipt", { session: "demo", send: "k" }],
      ["cancelSend", { session: "demo", send: "k" }],
      ["wait", { session: "demo", query: { until: "idle", timeout_ms: "5000" } }],
      ["waitMany", { query: { sessions: "demo,demo", until: "idle,exited", mode: "any" } }],
      ["keys", { session: "demo", body: { keys: ["C-l"] } }],
      ["capture", { session: "demo", query: { history: "5" } }],
      ["stream", { session: "demo" }],
      ["attach", { session: "demo" }],
      ["why", { session: "demo" }],
      ["ask", { session: "demo", body: { question: "Which?", choices: ["a"] } }],
      ["report", { session: "demo", body: { kind: "note", text: "halfway" } }],
      ["inbox"],
      ["next"],
      ["set", { session: "demo", body: { task: "other" } }],
      ["override", { session: "demo", body: { model: null } }],
      ["uploads", { session: "demo" }],
      ["counts"],
      ["agents"],
      ["agent", { agent: "shell" }],
      ["rename", { session: "demo", body: { name: "demo2" } }],
      ["addProject", { body: { path: "/src/api" } }],
      ["projects"],
      ["setProject", { project: "api", body: { budget: { turns: 5 } } }],
      ["removeProject", { project: "api" }],
      ["scope", { session: "demo2", query: { paths: "/w" } }],
      ["discover"],
      ["operations"],
      ["openapi"],
      ["reconcile", { body: { dry_run: true } }],
      ["interrupt", { session: "demo2" }],
      ["pause", { session: "demo2", body: { summary: "later" } }],
      ["submit", { session: "demo2", body: { prompt: "echo one", queue: true, idempotency_key: "t1" } }],
      ["submit", { session: "demo2", body: { prompt: "echo two", queue: true, idempotency_key: "t2" } }],
      ["submit", { session: "demo2", body: { prompt: "echo three", queue: true, idempotency_key: "t3" } }],
      ["queue", { session: "demo2" }],
      ["moveTurn", { session: "demo2", turn: "t3", body: { to: "front" } }],
      ["cancel", { session: "demo2", body: { turn: "t3" } }],
      ["cancelTurn", { session: "demo2", turn: "t2" }],
      ["clearQueue", { session: "demo2" }],
      ["turn", { session: "demo2", turn: "t1", query: { wait_ms: "1000" } }],
      ["turns", { session: "demo2", query: { from: "1", limit: "2" } }],
      ["resume", { session: "demo2" }],
      ["restart", { session: "demo2", body: { grace_ms: 10 } }],
      ["stop", { session: "demo2", body: { grace_ms: 10 } }],
      ["markErrored", { session: "demo2", body: { message: "broken" } }],
      ["remove", { session: "demo2" }],
      ["undo"],
      ["remove", { session: "demo2" }],
      ["archive", { session: "demo2" }],
      ["reactivate", { session: "demo2" }],
      ["delete", { session: "demo2" }],
      ["createToken", { body: { scope: "observer", name: "mine" } }],
      ["tokens"],
      ["rotateToken", { token: "mine" }],
      ["revokeToken", { token: "mine" }],
      ["audit", { query: { limit: "10" } }],
      ["events", { query: { session: "demo", type: "session_created,session_state_changed", wait_ms: "100" } }],
      ["notify"],
      ["testNotify"],
      ["directories"],
      ["profiles"],
      ["usage"],
      ["web"],
      ["closeWeb"],
      ["devices"],
      ["push"],
      ["doctor"],
      ["shutdown"],
    ];
    const tried = new Set<RouteName>([...steps.map(([name]) => name), ...NEED_AN_AGENT]);
    expect([...tried].sort()).toEqual(Object.keys(PATHS).sort());
    for (const [name, input] of steps) {
      const response = await call(l, name, input);
      expect([name, response.statusCode, response.statusCode >= 400 ? response.json() : null]).toEqual([
        name,
        CONTRACTS[name].status,
        null,
      ]);
      expect(CONTRACTS[name].answer.safeParse(response.json()).error, name).toBeUndefined();
    }
    expect(l.shutdowns()).toBe(1);
  });

  test("an import and an export report the outcome of every session, and a dry run writes nothing", async () => {
    const l = await fixture();
    const folder = mkdtempSync(join(tmpdir(), "tmpm-daemon-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "sessions.json"), JSON.stringify({ sessions: { [FOREIGN.id]: FOREIGN, odd: {} } }));
    const imports = async (dry_run: boolean) => (await call(l, "import", { body: { from: "trusty-mpm", path: folder, dry_run } })).json();
    for (const dry_run of [true, true, false]) {
      expect(await imports(dry_run)).toMatchObject({
        ...{ from: "trusty-mpm", path: folder, dry_run },
        documents: [
          { id: FOREIGN.id, outcome: "mapped", session: { id: FOREIGN.id, name: "api", state: "stopped" } },
          { id: "odd", outcome: "skipped", session: null, reason: expect.stringContaining("damaged") },
        ],
      });
    }
    expect((await imports(false)).documents[0]).toMatchObject({ outcome: "already_there" });
    const path = join(folder, "exported.json");
    const exports = async (dry_run: boolean) => (await call(l, "export", { body: { to: "trusty-mpm", path, dry_run } })).json();
    for (const dry_run of [true, false]) {
      expect(readdirSync(folder)).toEqual(["sessions.json"]);
      expect(await exports(dry_run)).toMatchObject({ to: "trusty-mpm", path, dry_run, sessions: [{ name: "api", outcome: "written" }] });
    }
    expect(readdirSync(folder).sort()).toEqual(["exported.json", "sessions.json"]);
    for (const dry_run of [true, false]) expect((await exports(dry_run)).error).toMatchObject({ code: "TARGET_EXISTS", effect: "none" });
  });

  test("a session in a response has snapshot, record and activity", async () => {
    const l = await fixture();
    const session = (await call(l, "create", { body: { cwd: tmpdir(), name: "demo" } })).json();
    expect(session).toMatchObject({
      status: "Active",
      workdir: tmpdir(),
      state: "active",
      name: "demo",
      agent: "shell",
      viewers: 0,
      activity: { state: "idle" },
      hint: null,
    });
    expect(Object.keys(CONTRACTS.show.answer.shape).filter((key) => !(key in session))).toEqual([]);
  });
});

describe("every error has the one envelope", () => {
  async function failure(l: Fixture, name: RouteName, input?: Parameters<typeof call>[2]) {
    const response = await call(l, name, input);
    const { error } = ErrorEnvelope.parse(response.json());
    expect(response.statusCode).toBe(ERRORS[error.code].http);
    return error;
  }

  test("malformed parts are INVALID_ARGUMENT and the field is named", async () => {
    const l = await fixture();
    expect(await failure(l, "create", { body: { cwd: 5 } })).toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { issues: [{ field: "cwd" }] },
    });
    expect((await failure(l, "create", { body: { cwd: "/", colour: "red" } })).message).toContain("colour");
    expect(await failure(l, "list", { query: { all: "maybe" } })).toMatchObject({ code: "INVALID_ARGUMENT", details: { part: "query" } });
    expect(await failure(l, "wait", { session: "x", query: { until: "never" } })).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await failure(l, "keys", { session: "x", body: { keys: [] } })).toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("unknown sessions and routes, bodies that are not JSON, and oversized bodies are errors", async () => {
    const l = await fixture();
    expect(await failure(l, "show", { session: "nobody" })).toMatchObject({ code: "SESSION_NOT_FOUND", effect: "none" });
    const unknown = await l.app.inject({ method: "GET", url: "/v1/nothing" });
    expect([unknown.statusCode, unknown.json().error.code]).toEqual([404, "ROUTE_NOT_FOUND"]);
    const broken = await l.app.inject({
      method: "POST",
      url: "/v1/sessions",
      headers: { "content-type": "application/json" },
      payload: "{",
    });
    expect([broken.statusCode, broken.json().error.code]).toEqual([400, "INVALID_ARGUMENT"]);
    const form = await l.app.inject({ method: "POST", url: "/v1/sessions", headers: { "content-type": "text/plain" }, payload: "cwd=/" });
    expect(form.json().error.code).toBe("INVALID_ARGUMENT");
    const huge = await l.app.inject({
      method: "POST",
      url: "/v1/sessions/x/send",
      payload: { text: "x".repeat(2 * MAX_TEXT_BYTES + 70_000) },
    });
    expect([huge.statusCode, huge.json().error.code]).toEqual([413, "TEXT_TOO_LARGE"]);
  });

  test("a client of another version is refused before any effect, but may query health and ask the daemon to exit", async () => {
    const l = await fixture();
    const headers = { [VERSION_HEADER]: "9.9.9" };
    const refused = await l.app.inject({ method: "POST", url: "/v1/sessions", headers, payload: { cwd: tmpdir() } });
    expect([refused.statusCode, refused.json().error]).toMatchObject([
      426,
      { code: "DAEMON_VERSION", effect: "none", details: { daemon: "1.2.3", client: "9.9.9" } },
    ]);
    expect(await l.store.list()).toEqual([]);
    expect((await l.app.inject({ method: "GET", url: "/healthz", headers })).statusCode).toBe(200);
    expect((await l.app.inject({ method: "POST", url: "/v1/daemon/shutdown", headers, payload: {} })).statusCode).toBe(202);
  });

  test("a session named by 3,000 characters is not found, in the envelope", async () => {
    expect(await failure(await fixture(), "show", { session: "x".repeat(3_000) })).toMatchObject({ code: "SESSION_NOT_FOUND" });
  });

  test("an internal fault is INTERNAL without a stack trace, and is reported", async () => {
    const l = await fixture();
    l.store.failNext("list", new Error("a secret of the inside"));
    const error = await failure(l, "list");
    expect(error).toMatchObject({ code: "INTERNAL", effect: "unknown" });
    expect(JSON.stringify(error)).not.toContain("secret");
    expect(l.faults).toHaveLength(1);
  });

  test("a stopping daemon accepts no new work, and pending waits end", async () => {
    const l = await fixture();
    await call(l, "create", { body: { cwd: tmpdir(), name: "demo", agent: "command", argv: ["/bin/cat"] } });
    const waiting = call(l, "wait", { session: "demo", query: { until: "exited", timeout_ms: "3600000" } });
    await new Promise(setImmediate);
    l.stopping.abort();
    expect((await waiting).json().error.code).toBe("TIMEOUT");
    expect(await failure(l, "list")).toMatchObject({ code: "SHUTTING_DOWN", effect: "none" });
  });
});

describe("the event stream", () => {
  test("the stream resumes after Last-Event-ID, and invalid queries are ordinary errors", async () => {
    const l = await fixture();
    await call(l, "create", { body: { agent: "shell", cwd: tmpdir(), name: "demo" } });
    await call(l, "stop", { session: "demo", body: { grace_ms: 10 } });
    const whole = await stream(l, "?session=demo", {}, 200);
    const ids = idsIn(whole);
    expect(ids.length).toBeGreaterThan(2);
    const page = (await call(l, "events", { query: { session: "demo" } })).json();
    expect(CONTRACTS.events.answer.parse(page).events.map(({ seq }) => seq)).toEqual(ids);
    const [, second = 0] = ids;
    expect(idsIn(await stream(l, "?session=demo&after=0", { "last-event-id": String(second) }, 200))).toEqual(ids.slice(2));
    expect(JSON.parse(await stream(l, "?session=nobody", {}, 404))).toMatchObject({ error: { code: "SESSION_NOT_FOUND" } });
    expect(JSON.parse(await stream(l, "?limit=0", {}, 400))).toMatchObject({ error: { code: "INVALID_ARGUMENT" } });
  });
});

/** Reads a stream until it has no further data. */
async function stream(l: Fixture, query: string, headers: Record<string, string>, status: number): Promise<string> {
  const response = await l.app.inject({
    method: "GET",
    url: `${PATHS.events.path}${query}`,
    headers: { accept: "text/event-stream", ...headers },
    payloadAsStream: true,
  });
  expect(response.statusCode).toBe(status);
  let text = "";
  for await (const chunk of response.stream()) {
    text += String(chunk);
    if (text.includes(": so far")) break;
  }
  return text;
}

function idsIn(text: string): readonly number[] {
  return Array.from(text.matchAll(/^id: (\d+)\ndata/gm), ([, id]) => Number(id));
}
