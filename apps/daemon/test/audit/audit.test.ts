import { EventEmitter } from "node:events";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONTRACTS, type Contract, PATHS, type RouteName } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AuditCalls, nodeAuditCalls } from "../../src/audit/audit-files.js";
import { type AuditLogOptions, auditLog } from "../../src/audit/audit-log.js";
import { requestAudit } from "../../src/audit/audit-requests.js";
import { typingAudit } from "../../src/audit/audit-typing.js";
import { checkAudit } from "../../src/audit/check-audit.js";
import { openDoors, SECRETS, SESSION, SESSION_SECRET } from "../fixtures/door-fixture.js";
import { rawRequest, requestText } from "../fixtures/raw-request.js";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "1" } = process.env;
const scale = Number(TMPM_TEST_SCALE);

function open(options: Partial<AuditLogOptions> = {}) {
  const dir = options.dir ?? join(mkdtempSync(join(tmpdir(), "tmpm-audit-")), "audit");
  onTestFinished(() => rmSync(join(dir, ".."), { recursive: true, force: true }));
  const faults: unknown[] = [];
  const log = auditLog({ dir, clock: () => Date.parse("2026-01-01T00:00:00Z"), report: (fault) => void faults.push(fault), ...options });
  onTestFinished(() => log.close());
  const current = join(dir, "audit.jsonl");
  return { log, dir, faults, current, check: (limit = 1000) => checkAudit(dir, { limit }) };
}

function fill({ log }: Pick<ReturnType<typeof open>, "log">, count: number, from = 0): void {
  for (let n = from; n < from + count; n++) log.append({ kind: "outcome", request_id: `r-${n}`, status: 200, code: null });
}

describe("the audit chain", () => {
  test("continues across files, restarts and non-ASCII text, in private files", async () => {
    const first = open({ maxBytes: 4_000 });
    fill(first, 30);
    first.log.append({
      kind: "refused",
      code: "HOST_REFUSED",
      request_id: "é",
      caller: unknown,
      method: "GET",
      route: null,
      target: "\u202e\u0085\ud83d\ude00",
    });
    first.log.close();
    const later = open({ dir: first.dir, maxBytes: 4_000 });
    fill(later, 30, 30);
    const { entries, checked, findings } = await later.check();
    expect([findings, checked]).toEqual([[], 61]);
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 61 }, (_, n) => n + 1));
    expect(entries[30]).toMatchObject({ request_id: "é", target: "\u202e\u0085\ud83d\ude00" });
    const files = readdirSync(later.dir);
    expect(files.length).toBeGreaterThan(2);
    for (const name of files) {
      expect(statSync(join(later.dir, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(later.dir, name), "latin1")).toMatch(/^[\n\x20-\x7e]*$/);
    }
    expect((await later.check(3)).entries.map(({ seq }) => seq)).toEqual([59, 60, 61]);
  });

  test("the log keeps a limited number of files, and the chain starts at the oldest kept one", async () => {
    const opened = open({ maxBytes: 1_000, keep: 3 });
    fill(opened, 100);
    expect(readdirSync(opened.dir)).toHaveLength(4);
    const { entries, findings } = await opened.check();
    expect([findings, entries.at(-1)?.seq]).toEqual([[], 100]);
    expect(entries[0]?.seq).toBeGreaterThan(50);
  });

  test("every changed byte is reported, 100 of 100", async () => {
    const opened = open();
    fill(opened, 40);
    opened.log.close();
    const whole = readFileSync(opened.current);
    let state = Number(TMPM_TEST_SEED) || 1;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    for (let n = 0; n < 100; n++) {
      const changed = Buffer.from(whole);
      const at = random(changed.length);
      changed[at] = (changed[at] ?? 0) ^ (1 + random(255));
      writeFileSync(opened.current, changed);
      const { findings } = await opened.check(0);
      expect(findings.length, `seed ${TMPM_TEST_SEED}, byte ${at}`).toBeGreaterThan(0);
      expect(findings.map(({ kind }) => kind)).toContain("damaged");
    }
  });

  test("a line that is removed, inserted, moved or written by another program is reported", async () => {
    const opened = open();
    fill(opened, 5);
    opened.log.close();
    const lines = readFileSync(opened.current, "utf8").trimEnd().split("\n");
    const [a = "", b = "", c = "", d = "", e = ""] = lines;
    for (const changed of [
      [a, b, d, e],
      [a, b, b, c, d, e],
      [a, c, b, d, e],
      [b, a, c, d, e],
      [a, b, '{"seq":3}', d, e],
      [a, b, "", c, d, e],
    ]) {
      writeFileSync(opened.current, `${changed.join("\n")}\n`);
      expect((await opened.check()).findings, String(changed.length)).not.toEqual([]);
    }
    writeFileSync(opened.current, `${lines.join("\n")}\n`);
    expect((await opened.check()).findings).toEqual([]);
  });

  test("the chain continues after a line cut off by a power failure, reports it, and still detects a later change of that line", async () => {
    const opened = open();
    fill(opened, 3);
    opened.log.close();
    truncateSync(opened.current, statSync(opened.current).size - 30);
    const later = open({ dir: opened.dir });
    fill(later, 2);
    const { findings, entries } = await later.check();
    expect(findings).toEqual([{ file: "audit.jsonl", line: 3, kind: "torn", what: "cut off while it was written" }]);
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    const text = readFileSync(opened.current, "utf8");
    writeFileSync(opened.current, text.replace(/"request_id":"r-2"/, '"request_id":"r-9"'));
    expect((await later.check()).findings.some(({ kind }) => kind === "damaged")).toBe(true);
  });

  test("a new file is begun when the current one is removed while the daemon writes", async () => {
    const opened = open();
    fill(opened, 2);
    rmSync(opened.current);
    fill(opened, 2);
    expect((await opened.check()).entries).toHaveLength(2);
    renameSync(opened.current, `${opened.current}.mine`);
    appendFileSync(`${opened.current}.mine`, "");
    fill(opened, 1);
    expect(readFileSync(`${opened.current}.mine`, "utf8").trimEnd().split("\n")).toHaveLength(3);
  });
});

describe("a failing disk", () => {
  function failing() {
    let failure: Error | null = null;
    let short = false;
    const calls: AuditCalls = {
      ...nodeAuditCalls,
      write(fd, bytes) {
        if (failure !== null && short) {
          short = false;
          return nodeAuditCalls.write(fd, bytes.subarray(0, 10));
        }
        if (failure !== null) throw failure;
        return nodeAuditCalls.write(fd, bytes);
      },
    };
    return {
      calls,
      fail(error: Error | null, withHalfALine = false) {
        failure = error;
        short = withHalfALine;
      },
    };
  }

  test("blocks no request and is reported; afterwards queued entries are written in order, with a count of dropped ones", async () => {
    const disk = failing();
    const opened = open({ calls: disk.calls, maxWaiting: 5, retryMs: 5 });
    fill(opened, 2);
    disk.fail(Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" }), true);
    fill(opened, 10, 2);
    expect(opened.log.failure()).toMatchObject({ code: "STORE_DEGRADED", message: expect.stringContaining("no space left") });
    expect(opened.faults).toHaveLength(1);
    disk.fail(null);
    await expect.poll(() => opened.log.failure()).toBeNull();
    const { entries, findings } = await opened.check();
    expect(findings).toEqual([]);
    expect(entries.map((entry) => entry.request_id ?? entry.count)).toEqual(["r-0", "r-1", "r-2", "r-3", "r-4", "r-5", "r-6", 5]);
  });
});

const unknown = { kind: "unknown", peer: "127.0.0.1", scope: null, token: null, token_id: null } as const;

describe("audit entries", () => {
  test(`are one for each change, and one for each refused request (${100 * scale} requests)`, {
    timeout: 180_000 * scale,
  }, async () => {
    const fixture = await openDoors();
    const asked = { change: 0, refused: 0, stranger: 0 };
    for (let n = 0; n < 100 * scale; n++) {
      const [secret, line, body = ""] = MIXED[n % MIXED.length] ?? MIXED[0];
      const shown = secret === null ? [] : ([["authorization", `Bearer ${secret}`]] as const);
      const answer = await rawRequest(
        { host: "127.0.0.1", port: fixture.port },
        requestText(line, [["host", `127.0.0.1:${fixture.port}`], ...shown], body),
      );
      if (answer.status < 400 && !line.startsWith("GET")) asked.change += 1;
      else if (secret === null && answer.status >= 400) asked.stranger += 1;
      else if (answer.status >= 400) asked.refused += 1;
    }
    await expect.poll(async () => (await kinds(fixture.dir)).outcome).toBe(asked.change);
    const { request, refused } = await kinds(fixture.dir);
    expect([request, asked.change > 15 * scale, refused]).toEqual([asked.change, true, asked.refused + Math.min(asked.stranger, 120)]);
    const { entries, findings } = await checkAudit(fixture.dir, { limit: 1000 });
    expect(findings).toEqual([]);
    expect(entries.find(({ kind }) => kind === "request")).toMatchObject({
      caller: { kind: "token", peer: "127.0.0.1", scope: "operator", token: "operator", token_id: "operator" },
      method: "POST",
      route: "send",
      target: SESSION,
    });
    const text = readdirSync(fixture.dir)
      .map((name) => readFileSync(join(fixture.dir, name), "utf8"))
      .join("");
    for (const secret of [...Object.values(SECRETS), SESSION_SECRET]) expect(text).not.toContain(secret.slice(5, 30));
    expect(text).not.toContain("very private");
  });

  test("are written before the action, for every route above read access", async () => {
    const seen: unknown[] = [];
    const audit = requestAudit({ log: { append: (body) => void seen.push(body) }, now: () => 0 });
    const caller = { kind: "owner", peer: "socket" } as const;
    for (const route of Object.keys(PATHS) as RouteName[])
      audit.begin({ requestId: "r", caller, route, method: PATHS[route].method, target: null });
    const above = (Object.keys(PATHS) as RouteName[]).filter(
      (route) => !["observer", "session"].includes((CONTRACTS[route] as Contract).scope),
    );
    expect(seen.map((body) => (body as { route: string }).route)).toEqual(above);
    const fixture = await openDoors({ handlers: { undo: () => new Promise(() => undefined) } });
    const pending = rawRequest({ path: fixture.socket }, requestText("POST /v1/undo", [["host", "localhost"]], "{}"));
    await expect.poll(async () => (await kinds(fixture.dir)).request).toBe(1);
    expect((await kinds(fixture.dir)).outcome).toBe(0);
    fixture.doors.cut();
    await pending;
  });

  test("each connection that types has one entry, and one more if typing is refused", () => {
    const seen: object[] = [];
    const audit = requestAudit({ log: { append: (body) => void seen.push(body) }, now: () => 0 });
    const socket = new EventEmitter();
    const caller = { kind: "owner", peer: "socket" } as const;
    const record = typingAudit(audit, { requestId: "r", caller, request: { method: "GET", socket } as never, session: "demo" });
    for (const refused of [null, null, new TmpmError("SCOPE_REFUSED", "no"), new TmpmError("SCOPE_REFUSED", "no")]) record(refused);
    socket.emit("close");
    expect(seen).toMatchObject([
      { kind: "request", route: "stream", target: "demo" },
      { kind: "refused", route: "stream", code: "SCOPE_REFUSED" },
      { kind: "outcome", request_id: "r", status: 101 },
    ]);
  });

  test("refused anonymous requests above the limit are only counted, so that they displace no other entry", () => {
    const seen: { kind: string; count?: number }[] = [];
    let now = 0;
    const audit = requestAudit({ log: { append: (body) => void seen.push(body) }, now: () => now, strangersAMinute: 3 });
    const refusal = {
      requestId: "r",
      request: { method: "GET", socket: {} },
      error: { code: "HOST_REFUSED" },
      route: null,
      target: "/",
    } as never;
    for (let n = 0; n < 1_000; n++) audit.refused({ ...(refusal as object), caller: null } as never);
    now = 60_000;
    audit.refused({ ...(refusal as object), caller: null } as never);
    expect(seen.map(({ kind, count = 1 }) => [kind, count])).toEqual([
      ["refused", 1],
      ["refused", 1],
      ["refused", 1],
      ["more_refused", 997],
      ["refused", 1],
    ]);
  });
});

const MIXED: readonly [readonly [string | null, string, string?], ...(readonly [string | null, string, string?])[]] = [
  [SECRETS.operator, `POST /v1/sessions/${SESSION}/send`, '{"text":"very private"}'],
  [SECRETS.observer, "GET /v1/sessions"],
  [SECRETS.observer, `POST /v1/sessions/${SESSION}/send`, '{"text":"very private"}'],
  [SECRETS.admin, `DELETE /v1/sessions/${SESSION}`],
  [null, `GET /v1/sessions/${SECRETS.admin}`],
  [SESSION_SECRET, `GET /v1/sessions/${SESSION}`],
];

async function kinds(dir: string): Promise<Readonly<Record<"request" | "outcome" | "refused", number>>> {
  const { entries } = await checkAudit(dir, { limit: 1_000_000 });
  const count = (wanted: string) => entries.filter(({ kind }) => kind === wanted).length;
  return { request: count("request"), outcome: count("outcome"), refused: count("refused") };
}
