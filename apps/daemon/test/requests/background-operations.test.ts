import { tmpdir } from "node:os";
import { OperationAnswer, PATHS } from "@tmpm/api";
import { background, followOperation } from "@tmpm/api/background";
import { client } from "@tmpm/api/client";
import { memoryDocuments } from "@tmpm/store/memory";
import { expect, test } from "vitest";
import { backgroundOperations } from "../../src/requests/background-operations.js";
import { type ServerFixture, serverFixture } from "../fixtures/server-fixture.js";

const LATER = { prefer: "respond-async" };

async function later(l: ServerFixture, url: string, payload: object, headers: Record<string, string> = {}) {
  const response = await l.app.inject({ method: "POST", url, payload, headers: { ...LATER, ...headers } });
  return { status: response.statusCode, headers: response.headers, answer: response.json() };
}

async function follow(l: ServerFixture, url: string) {
  const response = await l.app.inject({ method: "GET", url: `${url}?wait_ms=10000` });
  expect(response.statusCode).toBe(200);
  return OperationAnswer.parse(response.json());
}

function transport(l: ServerFixture) {
  return {
    async request({
      method,
      path,
      headers,
      body,
    }: {
      method: "GET" | "POST" | "DELETE";
      path: string;
      headers: Readonly<Record<string, string>>;
      body: string | null;
    }) {
      const sent = body === null ? {} : { payload: body, headers: { ...headers, "content-type": "application/json" } };
      const response = await l.app.inject({ method, url: path, headers: { ...headers }, ...sent });
      return { status: response.statusCode, headers: response.headers as Record<string, string>, body: response.body };
    },
  };
}

test("a slow operation continues without its caller, and reports its result", async () => {
  const l = await serverFixture();
  const begun = await later(l, PATHS.create.path, { cwd: tmpdir(), name: "demo" });
  expect([begun.status, begun.headers["preference-applied"]]).toEqual([202, "respond-async"]);
  const operation = OperationAnswer.parse(begun.answer);
  expect([operation.route, operation.state, begun.headers.location]).toEqual(["create", "running", `/v1/operations/${operation.id}`]);
  const done = await follow(l, String(begun.headers.location));
  expect(done).toMatchObject({
    state: "done",
    session_id: operation.session_id,
    error: null,
    result: { id: operation.session_id, name: "demo" },
  });
  const { events } = (await l.app.inject({ method: "GET", url: "/v1/events" })).json();
  const emitted = events.filter(({ operation_id }: { operation_id?: string }) => operation_id === operation.id);
  expect(emitted).toMatchObject([
    { type: "operation_started", route: "create" },
    { type: "operation_ended", outcome: "done", code: null },
  ]);
});

test("a failed operation reports its reason; a missing session is reported at once", async () => {
  const l = await serverFixture();
  const begun = await later(l, PATHS.create.path, { cwd: tmpdir(), agent: "nobody" });
  expect(await follow(l, String(begun.headers.location))).toMatchObject({
    state: "failed",
    result: null,
    error: { code: "AGENT_UNKNOWN", effect: "none" },
  });
  const missing = await later(l, "/v1/sessions/nobody/restart", {});
  expect([missing.status, missing.answer.error.code]).toEqual([404, "SESSION_NOT_FOUND"]);
  const unknown = await l.app.inject({ method: "GET", url: "/v1/operations/nothing" });
  expect([unknown.statusCode, unknown.json().error.code]).toEqual([404, "OPERATION_NOT_FOUND"]);
});

test("fast routes respond in the foreground, even if the client prefers the background", async () => {
  const l = await serverFixture();
  await later(l, PATHS.create.path, { cwd: tmpdir(), name: "demo" });
  await l.operations.idle();
  expect((await later(l, "/v1/sessions/demo/set", { task: "x" })).status).toBe(200);
});

test("a repeated key returns the same operation, and another daemon knows its result", async () => {
  const l = await serverFixture();
  const body = { cwd: tmpdir(), name: "demo" };
  const key = { "idempotency-key": "job-1" };
  const [first, second] = await Promise.all([later(l, PATHS.create.path, body, key), later(l, PATHS.create.path, body, key)]);
  expect(second.answer.id).toBe(first.answer.id);
  await l.operations.idle();
  const next = await serverFixture({ kept: l.kept });
  expect(await follow(next, String(first.headers.location))).toMatchObject({ state: "done", result: { name: "demo" } });
  expect(await l.store.list()).toHaveLength(1);
});

test("an operation interrupted by the daemon's end has failed, with unknown effect", async () => {
  const l = await serverFixture();
  const begun = await later(l, PATHS.create.path, { cwd: tmpdir(), name: "demo" });
  await l.operations.idle();
  const running = { ...OperationAnswer.parse(begun.answer), state: "running" as const };
  await l.kept.operationStore.put(running.id, running);
  const next = await serverFixture({ kept: l.kept });
  expect(await follow(next, String(begun.headers.location))).toMatchObject({
    state: "failed",
    error: { code: "REQUEST_INTERRUPTED", effect: "unknown" },
  });
});

test("the number of running operations and of kept finished ones is limited", async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const documents = memoryDocuments<OperationAnswer>();
  const operations = backgroundOperations({
    documents,
    now: Date.now,
    newId: () => crypto.randomUUID(),
    emit: () => undefined,
    progressOf: async () => null,
    report: () => undefined,
    most: { running: 2, kept: 3 },
  });
  const begin = (act: () => Promise<void>) =>
    operations.begin({ route: "reconcile", session_id: null }, async () => {
      await act();
      return { status: 200, headers: {}, body: "{}" };
    });
  await begin(() => held);
  await begin(() => held);
  await expect(begin(async () => undefined)).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED", effect: "none" });
  release();
  await operations.idle();
  for (let count = 0; count < 6; count++) {
    await begin(async () => undefined);
    await operations.idle();
  }
  expect((await operations.list()).length).toBeLessThanOrEqual(4);
  expect((await documents.all()).documents.size).toBe((await operations.list()).length);
});

test("the typed client starts and follows an operation", async () => {
  const l = await serverFixture();
  const begin = background({ transport: transport(l) });
  const { id } = await begin({ route: "create", input: { cwd: tmpdir(), name: "demo" } }, { key: "job-1" });
  const tmpm = client({ transport: transport(l) });
  expect(await followOperation(tmpm, { id })).toMatchObject({ state: "done", result: { name: "demo" } });
  const { rev } = await tmpm.show({ session: "demo" });
  await expect(tmpm.set({ session: "demo", task: "x" }, { rev: rev + 1 })).rejects.toMatchObject({ code: "REV_CONFLICT" });
});

test("a failed reading of the earlier operations is repeated with the next request", async () => {
  const documents = memoryDocuments<OperationAnswer>();
  const shortage = Object.assign(new Error("too many open files"), { code: "EMFILE", syscall: "open" });
  let failed = false;
  const operations = backgroundOperations({
    documents: {
      ...documents,
      async all() {
        if (failed) return documents.all();
        failed = true;
        throw shortage;
      },
    },
    now: Date.now,
    newId: () => crypto.randomUUID(),
    emit: () => undefined,
    progressOf: async () => null,
    report: () => undefined,
  });
  await expect(operations.list()).rejects.toBe(shortage);
  expect(await operations.list()).toEqual([]);
});
