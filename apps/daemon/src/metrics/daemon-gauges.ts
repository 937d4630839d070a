import { Gauge } from "prom-client";
import type { AuditLog } from "../audit/audit-log.js";
import type { EventLog } from "../events/event-log.js";
import type { Load } from "../load/load.js";
import type { TerminalStreams } from "../streams/terminal-streams.js";
import { gauge, type Metrics } from "./metrics.js";
import type { ViewerWires } from "./viewer-wires.js";

export interface DaemonGaugesOptions {
  readonly metrics: Metrics;
  readonly store: { health(): { readonly state: "ok" | "degraded" } };
  readonly eventLog: Pick<EventLog, "failure">;
  readonly audit: { readonly log: Pick<AuditLog, "failure"> };
  readonly places: Load;
  readonly terminals: Pick<TerminalStreams, "counts">;
  readonly wires: Pick<ViewerWires, "counts">;
}

/** The daemon's own state, read at each scrape. */
export function daemonGauges({ metrics, store, eventLog, audit, places, terminals, wires }: DaemonGaugesOptions): void {
  const { registry } = metrics;
  new Gauge({
    name: "tmpm_healthy",
    help: "1 for a healthy part, 0 for a degraded one.",
    labelNames: ["part"],
    registers: [registry],
    collect() {
      this.set({ part: "store" }, store.health().state === "ok" ? 1 : 0);
      this.set({ part: "events" }, eventLog.failure() === null ? 1 : 0);
      this.set({ part: "audit" }, audit.log.failure() === null ? 1 : 0);
    },
  });
  new Gauge({
    name: "tmpm_http_requests",
    help: "Current requests by lane: in progress, and waiting for a place.",
    labelNames: ["lane", "state"],
    registers: [registry],
    collect() {
      for (const [lane, { active, waiting }] of Object.entries(places.counts())) {
        this.set({ lane, state: "active" }, active);
        this.set({ lane, state: "waiting" }, waiting);
      }
    },
  });
  const name = (what: string) => `tmpm_stream_${what}`;
  gauge(registry, { name: name("terminals"), help: "Terminals read for viewers.", value: () => terminals.counts().streams });
  gauge(registry, { name: name("viewers"), help: "Viewers of terminals.", value: () => terminals.counts().watchers });
  gauge(registry, { name: name("stalled"), help: "Stalled viewers.", value: () => wires.counts().stalled });
  gauge(registry, { name: name("unsent_bytes"), help: "Unsent bytes for viewers.", value: () => wires.counts().unsent });
}
