import type { RouteName } from "@tmpm/api";
import type { ErrorCode, EventBody } from "@tmpm/core";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { CallMeter } from "./metered-driver.js";

/** Metrics for Prometheus. Labels never contain ids, names or other free text. */
export interface Metrics {
  readonly registry: Registry;
  /** Calls to tmux. */
  readonly call: CallMeter;
  event(event: EventBody): void;
  request(ended: { readonly route: RouteName; readonly status: number; readonly ms: number; readonly code: ErrorCode | null }): void;
  /** Bytes sent to viewers of terminals. */
  viewed(bytes: number): void;
}

/** Reasoning counts as output. */
const KINDS = ["input", "cache_read", "cache_write", "output"] as const;
const CALL_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** A separate registry, so that two daemons in one process count separately. */
export function metrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const calls = new Histogram({
    name: "tmpm_tmux_call_seconds",
    help: "Duration of calls to tmpm's tmux server.",
    labelNames: ["call"],
    buckets: CALL_SECONDS,
    registers,
  });
  const failed = new Counter({
    name: "tmpm_tmux_call_failures_total",
    help: "Failed calls to tmpm's tmux server. TMUX_UNRESPONSIVE: a deadline was missed.",
    labelNames: ["call", "code"],
    registers,
  });
  const events = new Counter({ name: "tmpm_events_total", help: "Events recorded.", labelNames: ["type"], registers });
  const turns = new Counter({ name: "tmpm_turns_ended_total", help: "Turns that ended.", labelNames: ["outcome"], registers });
  const tokens = new Counter({
    name: "tmpm_tokens_total",
    help: "Tokens used by turns, as counted by their agents.",
    labelNames: ["kind"],
    registers,
  });
  const sends = new Counter({ name: "tmpm_sends_total", help: "Texts sent to sessions.", labelNames: ["outcome"], registers });
  const requests = new Histogram({
    name: "tmpm_http_request_seconds",
    help: "Duration of requests, without long-lived event streams.",
    labelNames: ["route", "status"],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const errors = new Counter({ name: "tmpm_http_errors_total", help: "Failed requests.", labelNames: ["route", "code"], registers });
  const viewed = new Counter({ name: "tmpm_stream_bytes_total", help: "Bytes sent to viewers of terminals.", registers });
  return {
    registry,
    call(call, { ms, code }) {
      calls.observe({ call }, ms / 1000);
      if (code !== null) failed.inc({ call, code });
    },
    event(event) {
      events.inc({ type: event.type });
      if (event.type === "turn_ended") turns.inc({ outcome: event.outcome });
      if (event.type === "usage_counted") for (const kind of KINDS) tokens.inc({ kind }, event.used[kind]);
      if (event.type === "session_text_sent") sends.inc({ outcome: event.outcome });
    },
    request({ route, status, ms, code }) {
      requests.observe({ route, status: `${Math.floor(status / 100)}xx` }, ms / 1000);
      if (code !== null) errors.inc({ route, code });
    },
    viewed: (bytes) => viewed.inc(bytes),
  };
}

/** A gauge read at each scrape. */
export function gauge(registry: Registry, options: { readonly name: string; readonly help: string; readonly value: () => number }): void {
  const { name, help, value } = options;
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}
