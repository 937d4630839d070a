import type { Reading } from "@tmpm/agents";
import type { Activity, SessionRecord, Timestamp } from "@tmpm/core";
import { msFromTimestamp, timestampFromMs } from "@tmpm/core";
import type { PaneInfo } from "@tmpm/tmux-driver";

/** What was last seen of one session. Kept in memory only: after a restart it is looked at again. */
export interface Observed {
  readonly activity: Activity;
  readonly reading: Reading;
  readonly pane: PaneInfo;
  /** The screen was read so long after its last output that it shows all of it. */
  readonly settled: boolean;
}

export interface Observations {
  get(id: string): Observed | undefined;
  set(id: string, observed: Observed): void;
  forget(id: string): void;
}

export function observations(): Observations {
  const seen = new Map<string, Observed>();
  return {
    get: (id) => seen.get(id),
    set: (id, observed) => void seen.set(id, observed),
    forget: (id) => void seen.delete(id),
  };
}

/** The activity that a reading stands for; `since` is kept while the state stays the same. */
export function activityFromReading(reading: Reading, look: { previous: Activity | undefined; nowMs: number; beliefMs: number }): Activity {
  const now = timestampFromMs(look.nowMs);
  const same = look.previous?.state === reading.state;
  return {
    state: reading.state,
    source: reading.source,
    confidence: reading.confidence,
    since: same && look.previous ? look.previous.since : now,
    observed_at: now,
    expires_at: timestampFromMs(look.nowMs + look.beliefMs),
    evidence: [...reading.evidence],
  };
}

/** What is believed of a session now: from its record when that decides, else from what was seen, else nothing. */
export function believedActivity(record: SessionRecord, look: { observed: Observed | undefined; nowMs: number }): Activity {
  const decided = decidedByRecord(record);
  if (decided !== null) return fromRecord(record, decided);
  const seen = look.observed?.activity;
  if (seen === undefined) return fromRecord(record, { state: "unknown", evidence: ["not looked at yet"] });
  if (seen.expires_at !== null && msFromTimestamp(seen.expires_at) < look.nowMs) {
    return { ...seen, state: "unknown", confidence: 0, evidence: [`last seen as ${seen.state} at ${seen.observed_at}`, ...seen.evidence] };
  }
  return seen;
}

type Decided = { readonly state: Activity["state"]; readonly evidence: readonly string[] };

function decidedByRecord(record: SessionRecord): Decided | null {
  switch (record.state) {
    case "provisioning":
      return { state: "starting", evidence: ["its launch is not finished"] };
    case "errored":
      return { state: "errored", evidence: [record.last_error?.message ?? "its launch failed"] };
    case "stopped":
    case "decommissioned":
    case "deleted":
      return { state: "exited", evidence: [record.exit === null ? `the session is ${record.state}` : describeExit(record.exit)] };
    case "active":
      return null;
  }
}

export function describeExit(exit: { readonly status: number | null; readonly signal: number | null }): string {
  if (exit.signal !== null) return `its program was ended by signal ${exit.signal}`;
  return exit.status === null ? "its program ended" : `its program ended with status ${exit.status}`;
}

function fromRecord(record: SessionRecord, decided: Decided): Activity {
  const at: Timestamp = record.updated_at;
  return {
    state: decided.state,
    source: "record",
    confidence: decided.state === "unknown" ? 0 : 1,
    since: at,
    observed_at: at,
    expires_at: null,
    evidence: [...decided.evidence],
  };
}
