import { connect, type Socket } from "node:net";
import { PATHS, SESSION_HEADER } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import { expect, onTestFinished, test } from "vitest";
import { requestAudit } from "../../src/audit/audit-requests.js";
import { checkAudit } from "../../src/audit/check-audit.js";
import { load } from "../../src/load/load.js";
import { openDoors, SECRETS, SESSION, SESSION_SECRET } from "../fixtures/door-fixture.js";
import { rawRequest, requestText } from "../fixtures/raw-request.js";

const OTHER = "5a3f2c1e-0000-4000-8000-000000000000";

/** Sends the head of a request with a large body, none of which follows, and reads the answer. */
function announced({ port, line, headers = {} }: { port: number; line: string; headers?: Readonly<Record<string, string>> }) {
  const all = { host: `127.0.0.1:${port}`, "content-type": "application/json", "content-length": "9000000", ...headers };
  return rawRequest({ host: "127.0.0.1", port }, `${line} HTTP/1.1\r\n${lines(all)}\r\n`);
}

function lines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

test("an unproven session leaves only a refusal without the session's name in the audit log, and within the limit", async () => {
  const { port, dir } = await openDoors();
  const claimed = [
    [`POST /v1/sessions/${SESSION}/hook`, "x".repeat(43)],
    [`GET /v1/sessions/${SESSION}`, "x".repeat(43)],
    // A session's own token does not prove another session.
    [`POST /v1/sessions/${OTHER}/hook`, SESSION_SECRET],
    [`POST /v1/sessions/${SESSION}/hook`, SESSION_SECRET],
  ] as const;
  for (let n = 0; n < 132; n += 1) {
    const [line, secret] = claimed[n % claimed.length] ?? claimed[0];
    const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${secret}`, [SESSION_HEADER]: OTHER };
    const answer = await rawRequest(
      { host: "127.0.0.1", port },
      requestText(line, Object.entries(headers), line.startsWith("POST") ? "{}" : ""),
    );
    expect([401, 403, 429]).toContain(answer.status);
  }
  const { entries } = await checkAudit(dir, { limit: 1_000 });
  expect(entries.map(({ kind }) => kind)).toEqual(Array.from({ length: 120 }, () => "refused"));
  expect(entries.filter(({ caller }) => JSON.stringify(caller).includes(OTHER))).toEqual([]);
});

test("wrong login codes are recorded up to the limit, and a login in any case", () => {
  const seen: { readonly kind: string; readonly count?: number }[] = [];
  let now = 0;
  const audit = requestAudit({ log: { append: (body) => void seen.push(body) }, now: () => now, strangersAMinute: 2 });
  const login = (error: TmpmError | null) => {
    const asked = { requestId: "r", caller: { kind: "anyone", peer: "127.0.0.1" }, route: "login", target: null } as const;
    audit.begin({ ...asked, method: "POST" });
    audit.end({ ...asked, request: { method: "POST", socket: {} } as never, status: error === null ? 200 : 401, error });
  };
  for (let n = 0; n < 100; n += 1) login(new TmpmError("UNAUTHENTICATED", "wrong"));
  login(null);
  now = 60_000;
  login(null);
  expect(seen.map(({ kind, count }) => [kind, ...(count === undefined ? [] : [count])])).toEqual([
    ...["request", "outcome", "request", "outcome"].map((kind) => [kind]),
    ...["request", "outcome"].map((kind) => [kind]),
    ["more_refused", 99],
    ...["request", "outcome"].map((kind) => [kind]),
  ]);
});

test("no body is read before its sender has permission", async () => {
  const places = load();
  const { port } = await openDoors({ limits: { load: places } });
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const answers = await Promise.all([
    ...Array.from({ length: 12 }, () => announced({ port, line: `POST /v1/sessions/${SESSION}/hook`, headers: bearer("x".repeat(43)) })),
    announced({ port, line: "POST /v1/unknown", headers: bearer(SECRETS.observer) }),
    announced({ port, line: "POST /v1/unknown", headers: bearer(SESSION_SECRET) }),
    announced({ port, line: "POST /mcp", headers: { ...bearer("x".repeat(43)), [SESSION_HEADER]: SESSION } }),
    announced({ port, line: `${PATHS.login.method} ${PATHS.login.path}`, headers: bearer(SECRETS.admin) }),
  ]);
  expect(answers.slice(0, 12).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 403));
  expect(answers.slice(12).map(({ body }) => JSON.parse(body).error.code)).toEqual([
    "ROUTE_NOT_FOUND",
    expect.stringMatching(/UNAUTHENTICATED|RATE_LIMITED/),
    expect.stringMatching(/UNAUTHENTICATED|RATE_LIMITED/),
    "SCOPE_REFUSED",
  ]);
  expect(places.counts().bodies).toEqual({ active: 0, waiting: 0 });
});

test("a large call of a tool takes a place for its body, and times out while it is idle", async () => {
  const places = load();
  const { port } = await openDoors({ limits: { load: places, bodyIdleMs: 60_000 } });
  const socket: Socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${SECRETS.observer}`, "content-length": "9000000" };
  socket.write(`POST /mcp HTTP/1.1\r\n${lines({ ...headers, "content-type": "application/json" })}\r\n{`);
  await expect.poll(() => [places.counts().tools.active, places.counts().bodies.active]).toEqual([1, 1]);
  socket.destroy();
  await expect.poll(() => [places.counts().tools.active, places.counts().bodies.active]).toEqual([0, 0]);
  const idle = await openDoors({ limits: { bodyIdleMs: 20 } });
  const late = await announced({ port: idle.port, line: "POST /mcp", headers: { authorization: `Bearer ${SECRETS.observer}` } });
  expect(JSON.parse(late.body).error.code).toBe("TIMEOUT");
});
