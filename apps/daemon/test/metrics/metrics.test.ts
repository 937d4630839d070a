import { isTmpmError, TmpmError } from "@tmpm/core";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { describe, expect, test } from "vitest";
import { pulse, readiness } from "../../src/lifecycle/readiness.js";
import { load } from "../../src/load/load.js";
import { daemonGauges } from "../../src/metrics/daemon-gauges.js";
import { followers } from "../../src/metrics/followers.js";
import { meteredDriver } from "../../src/metrics/metered-driver.js";
import { metrics } from "../../src/metrics/metrics.js";
import { sessionGauges } from "../../src/metrics/session-gauges.js";
import { openDoors, SECRETS, SESSION_SECRET } from "../fixtures/door-fixture.js";
import { type Sample, samplesIn } from "../fixtures/prometheus-text.js";
import { rawRequest, requestText } from "../fixtures/raw-request.js";

const AT = "2026-01-01T00:00:00Z";
const ID = "0b6f9f0e-55a5-4a0c-8b57-3d2a8f6f1c11";

function figureOf(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
  return samples.find((sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    ?.value;
}

describe("metrics", () => {
  test("count events, and contain no ids or names", async () => {
    const figures = metrics();
    figures.event({ type: "turn_ended", at: AT, session_id: ID, turn_id: "t", outcome: "done", cause: null });
    const used = { input: 1, cache_read: 20, cache_write: 3, output: 4, reasoning: 2 };
    figures.event({ type: "usage_counted", at: AT, session_id: ID, turn_id: "t", used, total: used, context: null });
    figures.event({ type: "session_text_sent", at: AT, session_id: ID, outcome: "submitted", bytes: 3 });
    figures.event({ type: "session_created", at: AT, session_id: ID, name: "secret-name", agent: "claude" });
    figures.request({ route: "list", status: 200, ms: 3, code: null });
    figures.request({ route: "send", status: 503, ms: 1, code: "OVERLOADED" });
    figures.call("list", { ms: 4, code: null });
    figures.call("capture", { ms: 5_000, code: "TMUX_UNRESPONSIVE" });
    figures.viewed(100);
    const text = await figures.registry.metrics();
    const samples = samplesIn(text);
    expect(figureOf(samples, "tmpm_turns_ended_total", { outcome: "done" })).toBe(1);
    expect(figureOf(samples, "tmpm_tokens_total", { kind: "cache_read" })).toBe(20);
    expect(figureOf(samples, "tmpm_sends_total", { outcome: "submitted" })).toBe(1);
    expect(figureOf(samples, "tmpm_events_total", { type: "session_created" })).toBe(1);
    expect(figureOf(samples, "tmpm_http_request_seconds_count", { route: "list", status: "2xx" })).toBe(1);
    expect(figureOf(samples, "tmpm_http_errors_total", { route: "send", code: "OVERLOADED" })).toBe(1);
    expect(figureOf(samples, "tmpm_tmux_call_seconds_bucket", { call: "list", le: "0.005" })).toBe(1);
    expect(figureOf(samples, "tmpm_tmux_call_failures_total", { call: "capture", code: "TMUX_UNRESPONSIVE" })).toBe(1);
    expect(figureOf(samples, "tmpm_stream_bytes_total")).toBe(100);
    expect(text).not.toContain(ID);
    expect(text).not.toContain("secret-name");
  });

  test("of many scrapes need one pass over the sessions, and unknown agents share one label", async () => {
    const { registry } = metrics();
    let asked = 0;
    let nowMs = 0;
    const alike = { state: "active", activity: "idle", count: 2 } as const;
    const tally = async () => {
      asked += 1;
      return {
        sessions: [
          { ...alike, agent: "shell" },
          { ...alike, agent: "x" },
          { ...alike, agent: "y" },
        ],
        turns: { open: 1, waiting: 7 },
      };
    };
    sessionGauges(registry, { tally, agents: ["shell"], now: () => nowMs });
    for (let scrape = 0; scrape < 20; scrape += 1) await registry.metrics();
    expect(asked).toBe(1);
    nowMs = 60_000;
    const samples = samplesIn(await registry.metrics());
    expect(asked).toBe(2);
    expect(figureOf(samples, "tmpm_sessions", { agent: "shell", state: "active", activity: "idle" })).toBe(2);
    expect(figureOf(samples, "tmpm_sessions", { agent: "other" })).toBe(4);
    expect(figureOf(samples, "tmpm_turns", { state: "waiting" })).toBe(7);
  });

  test("cover the daemon's parts, its lanes, viewers and followers", async () => {
    const figures = metrics();
    const places = load();
    daemonGauges({
      metrics: figures,
      store: { health: () => ({ state: "degraded" }) },
      eventLog: { failure: () => null },
      audit: { log: { failure: () => null } },
      places,
      terminals: { counts: () => ({ streams: 2, watchers: 5 }) },
      wires: { counts: () => ({ stalled: 1, unsent: 300_000 }) },
    });
    const leave = await places.enter("screens", new AbortController().signal);
    const stream = followers(figures.registry, async () => frames());
    const reading = (await stream({} as never, {} as never))[Symbol.asyncIterator]();
    await reading.next();
    const samples = samplesIn(await figures.registry.metrics());
    expect(figureOf(samples, "tmpm_healthy", { part: "store" })).toBe(0);
    expect(figureOf(samples, "tmpm_healthy", { part: "audit" })).toBe(1);
    expect(figureOf(samples, "tmpm_http_requests", { lane: "screens", state: "active" })).toBe(1);
    expect(figureOf(samples, "tmpm_stream_viewers")).toBe(5);
    expect(figureOf(samples, "tmpm_stream_stalled")).toBe(1);
    expect(figureOf(samples, "tmpm_event_followers")).toBe(1);
    await reading.return?.();
    leave();
    expect(figureOf(samplesIn(await figures.registry.metrics()), "tmpm_event_followers")).toBe(0);
  });
});

describe("the metrics page", () => {
  test("is for observers, on the socket and on TCP, and counts requests by route only", async () => {
    const figures = metrics();
    const { socket, port } = await openDoors({ limits: { registry: figures.registry, answered: figures.request } });
    const get = (path: string, headers: readonly (readonly [string, string])[]) => requestText(`GET ${path}`, headers);
    const tcp = { host: "127.0.0.1", port };
    const host = ["host", `127.0.0.1:${port}`] as const;
    const shows = (secret: string) => ["authorization", `Bearer ${secret}`] as const;
    expect((await rawRequest(tcp, get("/metrics", [host]))).status).toBe(401);
    expect((await rawRequest(tcp, get("/metrics", [host, shows(SESSION_SECRET)]))).status).toBe(401);
    expect((await rawRequest({ path: socket }, get("/v1/sessions/secret-name?q=x", [["host", "localhost"]]))).status).toBe(400);
    expect((await rawRequest({ path: socket }, get("/v1/sessions/secret-name", [["host", "localhost"]]))).status).toBe(200);
    const page = await rawRequest(tcp, get("/metrics", [host, shows(SECRETS.observer)]));
    expect(page.status).toBe(200);
    expect(page.head).toMatch(/content-type: text\/plain; version=0\.0\.4/i);
    const samples = samplesIn(page.body);
    expect(figureOf(samples, "tmpm_http_request_seconds_count", { route: "show", status: "2xx" })).toBe(1);
    expect(figureOf(samples, "tmpm_http_errors_total", { route: "show", code: "INVALID_ARGUMENT" })).toBe(1);
    expect(page.body).not.toContain("secret-name");
  });

  test("has the metrics of the process from the first scrape, with all of its processor time", async () => {
    const { registry } = metrics();
    expect(await registry.metrics()).not.toMatch(/^(process|nodejs)_/m);
    const { socket } = await openDoors({ limits: { registry } });
    const scrape = async () => samplesIn((await rawRequest({ path: socket }, requestText("GET /metrics", [["host", "localhost"]]))).body);
    const { user, system } = process.cpuUsage();
    const first = await scrape();
    for (const name of ["process_resident_memory_bytes", "nodejs_eventloop_lag_seconds", "process_open_fds"])
      expect(figureOf(first, name), name).toBeGreaterThanOrEqual(0);
    expect(figureOf(first, "process_cpu_user_seconds_total")).toBeGreaterThanOrEqual(user / 1e6);
    expect(figureOf(first, "process_cpu_seconds_total")).toBeGreaterThanOrEqual((user + system) / 1e6);
    expect(figureOf(await scrape(), "process_cpu_seconds_total")).toBeGreaterThanOrEqual(figureOf(first, "process_cpu_seconds_total") ?? 0);
  });
});

async function* frames(): AsyncGenerator<string> {
  yield ": hello\n\n";
}

describe("a metered driver", () => {
  test("answers and fails like the bare one, and reports every call", async () => {
    const recorded: unknown[] = [];
    const tmux = fakeTmux();
    const driver = meteredDriver(tmux.driver, (call, { code }) => recorded.push([call, code]));
    expect(driver.transport).toBe("memory");
    expect(await driver.server()).toEqual(await tmux.driver.server());
    const missing = { socket: "s", server_pid: 1, server_start: 1, pane_id: "%1" };
    const error = await driver.capture(missing).catch((thrown: unknown) => thrown);
    expect(isTmpmError(error)).toBe(true);
    const silent = meteredDriver(
      { ...tmux.driver, list: async () => ({ kind: "unknown", error: new TmpmError("TMUX_UNRESPONSIVE", "no answer") }) },
      (call, { code }) => recorded.push([call, code]),
    );
    await silent.list();
    expect(recorded).toEqual([
      ["server", null],
      ["capture", isTmpmError(error) ? error.code : null],
      ["list", "TMUX_UNRESPONSIVE"],
    ]);
  });
});

describe("readiness", () => {
  const well = { store: () => null, events: () => null, audit: () => null, recovered: () => true, tmux: async () => null };

  test("requires every check to pass", async () => {
    expect(await readiness(well)).toMatchObject({ ready: true });
    await expect(readiness({ ...well, recovered: () => false, audit: () => "disk full" })).rejects.toMatchObject({
      code: "NOT_READY",
      details: { checks: expect.arrayContaining([{ name: "audit", ok: false, message: "disk full" }]) },
    });
  });

  test("queries tmux only when it has not answered recently", async () => {
    let nowMs = 0;
    let asked = 0;
    const heart = pulse({
      ask: async () => {
        asked += 1;
        return "no answer";
      },
      now: () => nowMs,
    });
    expect(await heart.fault()).toBe("no answer");
    heart.heard({ code: null });
    expect(await heart.fault()).toBeNull();
    heart.heard({ code: "PANE_GONE" });
    expect(await heart.fault()).toBeNull();
    expect(asked).toBe(1);
    heart.heard({ code: "TMUX_UNRESPONSIVE" });
    expect(await heart.fault()).toBe("no answer");
    heart.heard({ code: null });
    nowMs = 20_000;
    expect(await heart.fault()).toBe("no answer");
  });
});
