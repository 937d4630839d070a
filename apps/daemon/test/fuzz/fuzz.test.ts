import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONTRACTS, type Contract, ErrorEnvelope, errorsOf, PATHS, type RouteName } from "@tmpm/api";
import { ERRORS, type ErrorCode, type SendEntry, type SessionRecord } from "@tmpm/core";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/listen/listen.js";
import { call, type ServerFixture, serverFixture } from "../fixtures/server-fixture.js";
import { random } from "./random.js";
import { type FuzzRequest, fuzzRequest } from "./requests.js";

const SCALE = Number(process.env.TMPM_TEST_SCALE ?? 1);
const SEED = Number(process.env.TMPM_TEST_SEED ?? 1);
const PER_ROUTE = 8 * SCALE;
const DEADLINE_MS = 100_000;

const ROUTES = Object.keys(PATHS) as RouteName[];

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

async function listening() {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-fuzz-"));
  const l = await serverFixture({ home: dir });
  const socket = join(dir, "run", "s");
  const doors = await listen(l.app, { guard: l.guard, version: "1.2.3", socket, tcp: null, label: () => "l", report: () => undefined });
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  onTestFinished(async () => {
    agent.destroy();
    const closed = doors.close();
    doors.cut();
    await Promise.all([closed, l.app.close()]);
    rmSync(dir, { recursive: true, force: true });
  });
  return { ...l, dir, socket, agent };
}

type Listening = Awaited<ReturnType<typeof listening>>;

function ask({ socket, agent }: Listening, { method, path, headers, body }: Omit<FuzzRequest, "route">): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ socketPath: socket, agent, method, path, headers: { host: "localhost", ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      const type = response.headers["content-type"] ?? "";
      const answer = () => resolve({ status: response.statusCode ?? 0, type, body: Buffer.concat(parts).toString() });
      response.on("end", answer);
      // A stream never ends; its beginning suffices.
      if (type.startsWith("text/event-stream")) response.once("data", () => response.destroy()).once("close", answer);
    });
    const timer = setTimeout(() => asked.destroy(new Error(`no answer within ${DEADLINE_MS} ms`)), DEADLINE_MS);
    asked.on("close", () => clearTimeout(timer));
    asked.on("error", (error: NodeJS.ErrnoException) => {
      // A server need not read the rest of a refused request.
      if (error.code === "EPIPE" || error.code === "ECONNRESET") resolve({ status: 400, type: "", body: "" });
      else reject(error);
    });
    asked.end(body ?? undefined);
  });
}

/** State that changes by requests only. Accepted texts are delivered in the background, so the progress of a send is ignored. */
async function stateOf({ kept, operations }: ServerFixture): Promise<string> {
  await operations.idle();
  const [entries, projects] = await Promise.all([kept.store.list({ archived: true }), kept.projectStore.all()]);
  const records = entries.map((entry) => (entry.kind === "session" ? { ...entry, record: asked(entry.record) } : entry));
  const sends = await Promise.all(records.map((entry) => (entry.kind === "session" ? kept.sends.list(entry.record.id) : [])));
  return JSON.stringify([records, sends.flat().map(wanted), [...projects.documents]]);
}

function wanted({ id, receipt }: SendEntry) {
  return { id, cancelled: receipt?.reason === "cancelled" };
}

function asked({ rev, updated_at, last_activity_at, last_seen_at, state, pane, pid, exit, last_lines, ...record }: SessionRecord) {
  return { ...record, runs: state === "active" || state === "provisioning" };
}

function mayAnswer(route: RouteName, code: ErrorCode): boolean {
  return errorsOf(CONTRACTS[route]).includes(code);
}

function fault(asked: FuzzRequest, { status, type, body }: Answer): string | null {
  if (status >= 500) return `answered ${status}: ${body.slice(0, 300)}`;
  if (status >= 400) {
    if (type === "") return null;
    const read = ErrorEnvelope.safeParse(JSON.parse(body));
    if (!read.success) return `its error is not an envelope: ${body.slice(0, 300)}`;
    const { code } = read.data.error;
    if (ERRORS[code].http !== status) return `${code} came with ${status}`;
    return code === "ROUTE_NOT_FOUND" || mayAnswer(asked.route, code)
      ? null
      : `its contract does not name ${code}: ${read.data.error.message}`;
  }
  const contract: Contract = CONTRACTS[asked.route];
  if (status !== contract.status || !type.startsWith("application/json")) return null;
  const { error } = contract.answer.safeParse(JSON.parse(body));
  return error === undefined ? null : `its answer is not what the contract says: ${error.message.slice(0, 300)}`;
}

function difference(before: string, after: string): string {
  const at = [...before].findIndex((letter, index) => letter !== after[index]);
  return `${before.slice(Math.max(0, at - 80), at + 80)}  INTO  ${after.slice(Math.max(0, at - 80), at + 80)}`;
}

function printed({ method, path, headers, body }: FuzzRequest): string {
  return `${method} ${path.slice(0, 200)} ${JSON.stringify(headers).slice(0, 200)} ${String(body).slice(0, 300)}`;
}

test(`requests that violate their contract change nothing (seed ${SEED})`, { timeout: 180_000 * SCALE }, async () => {
  const l = await listening();
  const dice = random(SEED);
  await call(l, "create", { body: { agent: "shell", cwd: l.dir, name: "demo" } });
  await call(l, "send", { session: "demo", body: { text: "echo x", idempotency_key: "job-17" } });
  const given = { session: "demo", path: join(l.dir, "nothing-here"), dry_run: true, cwd: l.dir, timeout_ms: 1, wait_ms: 1 };
  const faults: string[] = [];
  let refused = 0;
  let state = await stateOf(l);
  for (let round = 0; round < PER_ROUTE; round++) {
    for (const route of ROUTES) {
      const asked = fuzzRequest(route, { random: dice, given });
      const before = state;
      const answer = await ask(l, asked);
      const problem = fault(asked, answer);
      if (problem !== null) faults.push(`${printed(asked)}\n    ${problem}`);
      state = await stateOf(l);
      if (answer.status < 400) continue;
      refused++;
      if (state !== before) faults.push(`${printed(asked)}\n    answered ${answer.status}, and changed this: ${difference(before, state)}`);
    }
  }
  console.log(`${PER_ROUTE * ROUTES.length} requests of ${ROUTES.length} routes, ${refused} refused, seed ${SEED}`);
  expect(faults.slice(0, 20), `${faults.length} faults`).toEqual([]);
  expect(l.faults).toEqual([]);
  expect("polluted" in {}).toBe(false);
  expect(refused).toBeGreaterThan((PER_ROUTE * ROUTES.length) / 3);
  expect(readdirSync(l.dir).filter((name) => name.includes("canary"))).toEqual([]);
});

test("endless request bodies and heads delay no other request", async () => {
  const l = await listening();
  const slow = [
    "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
    "GET /v1/sess",
  ];
  const connections = Array.from({ length: 40 }, (_, index) => {
    const connection = connect(l.socket);
    connection.on("error", () => undefined);
    connection.write(slow[index % 2] ?? "");
    return connection;
  });
  const before = await stateOf(l);
  for (let count = 0; count < 20; count++)
    expect((await ask(l, { method: "GET", path: "/healthz", headers: {}, body: null })).status).toBe(200);
  expect(await stateOf(l)).toBe(before);
  for (const connection of connections) connection.destroy();
});
