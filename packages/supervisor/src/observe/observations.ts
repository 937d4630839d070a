import type { Reading } from "@tmpm/agents";
import type { Activity, PaneInfo, SessionRecord, Timestamp } from "@tmpm/core";
import { type DecisionState, NOTHING_ASKED } from "../activity/asked.js";
import { believe } from "../activity/believe.js";
import { NOTHING_KNOWN, type ObservedState } from "../activity/known.js";
import type { Output } from "../activity/output.js";

/** The last observations of one session. In memory only, except for its decisions: after a restart it is checked again. */
export interface SessionObservation {
  readonly activity: Activity;
  readonly reading: Reading;
  readonly pane: PaneInfo;
  /** The screen was read long enough after its last output to include all of it. */
  readonly settled: boolean;
}

export interface Observations {
  get(id: string): SessionObservation | undefined;
  set(id: string, observed: SessionObservation): void;
  /** All evidence on a session since its launch. */
  known(id: string): ObservedState;
  know(id: string, known: ObservedState): void;
  /** Its last screen text; undefined before the first look. */
  output(id: string): Output | undefined;
  setOutput(id: string, output: Output): void;
  /** Since when a starting agent has shown its input, in milliseconds since 1970; null while it does not. */
  inputMs(id: string): number | null;
  setInputMs(id: string, ms: number | null): void;
  /** Its agent's last reported skill since the daemon's start; null without one. */
  skill(id: string): string | null;
  setSkill(id: string, name: string): void;
  /** Forgets the evidence, which does not apply to another launch. */
  forget(id: string): void;
  /** Forgets everything about a session that is gone. */
  remove(id: string): void;
}

/** `asked` is called whenever the open decision of a session changes. */
export function observations(asked: (session: string, asked: DecisionState) => void = () => undefined): Observations {
  const seen = new Map<string, SessionObservation>();
  const known = new Map<string, ObservedState>();
  const outputs = new Map<string, Output>();
  const inputs = new Map<string, number>();
  const skills = new Map<string, string>();
  function forget(id: string): void {
    outputs.delete(id);
    inputs.delete(id);
    seen.delete(id);
    if (known.delete(id)) asked(id, NOTHING_ASKED);
  }

  return {
    get: (id) => seen.get(id),
    set: (id, observed) => void seen.set(id, observed),
    known: (id) => known.get(id) ?? NOTHING_KNOWN,
    know(id, all) {
      const before = known.get(id)?.asked ?? NOTHING_ASKED;
      known.set(id, all);
      if (all.asked !== before) asked(id, all.asked);
    },
    output: (id) => outputs.get(id),
    setOutput: (id, output) => void outputs.set(id, output),
    inputMs: (id) => inputs.get(id) ?? null,
    setInputMs: (id, ms) => void (ms === null ? inputs.delete(id) : inputs.set(id, ms)),
    skill: (id) => skills.get(id) ?? null,
    setSkill: (id, name) => void skills.set(id, name),
    forget,
    remove(id) {
      forget(id);
      skills.delete(id);
    },
  };
}

/** The current belief about a session: from its record when that decides, else from the evidence, else unknown. */
export function believedActivity(
  record: SessionRecord,
  look: { readonly known: ObservedState; readonly nowMs: number; readonly beliefMs: number },
): Activity {
  const decided = decidedByRecord(record);
  if (decided !== null) return fromRecord(record, decided);
  return believe(look.known.track, look) ?? fromRecord(record, { state: "unknown", evidence: ["not observed yet"] });
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
  if (exit.signal !== null) return `its program was killed by signal ${exit.signal}`;
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
    limit: null,
  };
}
