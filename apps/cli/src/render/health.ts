import type { HealthAnswer } from "@tmpm/api";
import type { View } from "../context.js";
import type { ServiceAnswer } from "../service/service-answer.js";
import { fromNow } from "./age.js";
import { facts } from "./facts.js";
import { overwrittenLines } from "./overwritten.js";

export interface ShownHealth {
  readonly health: HealthAnswer;
  /** Null if there is nothing to report. */
  readonly service: ServiceAnswer | null;
  readonly done: "runs" | "started" | "restarted";
}

/** The daemon, one fact per line. */
export function renderHealth({ health, service, done }: ShownHealth, view: View): string {
  const { status, version, pid, started_at, home, store, events, audit, listening = [] } = health;
  const rows = [
    ["daemon", done === "runs" ? status : `${done}, ${status}`],
    ["version", version],
    ["pid", String(pid)],
    ["started", fromNow(started_at, view.now)],
    ["home", home],
    ["store", stated(store)],
    ...overwrittenLines(store).map((line) => ["", line]),
    ...(events === undefined ? [] : [["events", stated(events)]]),
    ...(audit === undefined ? [] : [["audit", stated(audit)]]),
    ...listening.map((url) => ["listening", url]),
    ...(service === null ? [] : [["service", serviceLine(service)]]),
  ];
  return facts(rows, view);
}

/** The daemon's service, in one line. */
export function serviceLine({ manager, label, enabled, active, message }: ServiceAnswer): string {
  if (manager === "none") return "none: started in the background (`tmpm daemon install` sets one up)";
  const state = `${manager}: ${label}, ${enabled ? "starts at login" : "does not start at login"}, ${active}`;
  return message === null ? state : `${state}. ${message}`;
}

function stated({ state, message }: { readonly state: string; readonly message: string | null }): string {
  return message === null ? state : `${state}: ${message}`;
}
