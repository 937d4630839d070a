import {
  type Activity,
  ActivityState,
  AoActivityState,
  aoActivity,
  RestState,
  restState,
  SessionState,
  type SessionView,
  SwimmersState,
  swimmersState,
  TrustyActivityState,
  timestampFromMs,
  trustyActivity,
} from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { aRecord } from "../a-record.js";

const NOW = Date.UTC(2026, 1, 3);

function view(state: SessionState, doing: ActivityState, sinceMs = NOW): SessionView {
  const at = timestampFromMs(sinceMs);
  const activity: Activity = {
    state: doing,
    source: "screen",
    confidence: 1,
    since: at,
    observed_at: at,
    expires_at: null,
    evidence: [],
    limit: null,
  };
  return { record: aRecord({ state }), activity, viewers: 0 };
}

describe("projections", () => {
  test("map every state and activity to a word of each system, and reach every word", () => {
    const seen = { swimmers: new Set<string>(), rest: new Set<string>(), ao: new Set<string>(), trusty: new Set<string>() };
    for (const state of SessionState.options) {
      for (const doing of ActivityState.options) {
        for (const age of [0, 60_000, 600_000]) {
          for (const thought of [null, ...RestState.options]) {
            const seenSince = view(state, doing, NOW - age);
            seen.swimmers.add(swimmersState(seenSince));
            seen.rest.add(restState(seenSince, { nowMs: NOW, thought }));
            seen.ao.add(aoActivity(seenSince, { nowMs: NOW }));
            seen.trusty.add(trustyActivity(seenSince));
          }
        }
      }
    }
    expect([...seen.swimmers].sort()).toEqual([...SwimmersState.options].sort());
    expect([...seen.rest].sort()).toEqual([...RestState.options].sort());
    expect([...seen.ao].sort()).toEqual([...AoActivityState.options].sort());
    expect([...seen.trusty].sort()).toEqual([...TrustyActivityState.options].sort());
  });

  test("prefer the record to the last activity: an ended session is inactive", () => {
    for (const state of ["stopped", "decommissioned", "deleted"] as const) {
      expect(swimmersState(view(state, "working"))).toBe("exited");
      expect(aoActivity(view(state, "awaiting_approval"), { nowMs: NOW })).toBe("exited");
      expect(trustyActivity(view(state, "working"))).toBe("done");
    }
    expect(swimmersState(view("errored", "working"))).toBe("error");
    expect(swimmersState(view("provisioning", "unknown"))).toBe("busy");
  });
});

describe("restState (swimmers 4.5)", () => {
  const rest = (doing: ActivityState, ageMs: number, thought: RestState | null = null) =>
    restState(view("active", doing, NOW - ageMs), { nowMs: NOW, thought });

  test("idle turns drowsy after 30 seconds, never asleep by the clock, and a future time counts as now", () => {
    expect([rest("idle", 0), rest("idle", 29_999), rest("idle", 30_000), rest("idle", 86_400_000), rest("idle", -5_000)]).toEqual([
      "active",
      "active",
      "drowsy",
      "drowsy",
      "active",
    ]);
  });

  test("reports sleep only from a thought, and only for an idle session", () => {
    expect(rest("idle", 0, "sleeping")).toBe("sleeping");
    expect(rest("idle", 0, "deep_sleep")).toBe("deep_sleep");
    for (const doing of ["working", "awaiting_approval", "errored"] as const) expect(rest(doing, 600_000, "sleeping")).toBe("active");
    expect(restState(view("stopped", "idle"), { nowMs: NOW, thought: "active" })).toBe("deep_sleep");
  });
});

test("ready turns idle after five minutes (ao-rs 1.3)", () => {
  const at = (ageMs: number) => aoActivity(view("active", "idle", NOW - ageMs), { nowMs: NOW });
  expect([at(0), at(299_999), at(300_000)]).toEqual(["ready", "ready", "idle"]);
});

test("idle for five minutes after work needs attention; one that never worked only rests (swimmers case 37)", () => {
  const idle = (last_activity_at: string | null, state: "idle" | "working" = "idle") => {
    const seen = view("active", state);
    return { ...seen, record: { ...seen.record, last_activity_at } };
  };
  const worked = idle("2026-01-01T00:00:00Z");
  expect([NOW + 299_999, NOW + 300_000].map((nowMs) => swimmersState(worked, nowMs))).toEqual(["idle", "attention"]);
  expect(swimmersState(worked)).toBe("idle");
  expect(swimmersState(idle(null), NOW + 300_000)).toBe("idle");
  expect(swimmersState(idle("2026-01-01T00:00:00Z", "working"), NOW + 300_000)).toBe("busy");
});
