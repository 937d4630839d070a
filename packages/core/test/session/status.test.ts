import { type Activity, ActivityState, type SessionRecord, SessionState, SessionStatus, sessionStatus, toSession } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { aRecord, PANE } from "../a-record.js";

const AT = "2026-02-03T04:05:06Z";

function activity(state: ActivityState): Activity {
  return { state, source: "screen", confidence: 1, since: AT, observed_at: AT, expires_at: null, evidence: [], limit: null };
}

function statusOf(changes: Partial<SessionRecord>, seen: { readonly activity?: ActivityState; readonly viewers?: number } = {}) {
  return sessionStatus({
    record: { ...aRecord(), ...changes },
    activity: activity(seen.activity ?? "working"),
    viewers: seen.viewers ?? 0,
  });
}

/** Each row also matches the later rules, so that only the order decides. */
const everything = { paused_at: AT, viewed_at: AT };

describe("sessionStatus takes the first rule that matches", () => {
  test.each([
    ["stopped", { ...everything, state: "stopped" }, "awaiting_approval", 0, "Stopped"],
    ["errored", { ...everything, state: "errored" }, "starting", 0, "Stopped"],
    ["decommissioned", { ...everything, state: "decommissioned" }, "working", 0, "Stopped"],
    ["deleted", { ...everything, state: "deleted" }, "working", 0, "Stopped"],
    ["paused before starting", everything, "starting", 0, "Paused"],
    ["paused before awaiting approval", everything, "awaiting_approval", 1, "Paused"],
    ["provisioning before awaiting approval", { state: "provisioning", viewed_at: AT }, "awaiting_approval", 0, "Starting"],
    ["starting before detached", { viewed_at: AT }, "starting", 0, "Starting"],
    ["awaiting approval before detached", { viewed_at: AT }, "awaiting_approval", 0, "AwaitingApproval"],
    ["viewed once and not now", { viewed_at: AT }, "working", 0, "Detached"],
    ["viewed now", { viewed_at: AT }, "working", 1, "Active"],
    ["never viewed", {}, "idle", 0, "Active"],
  ] as const)("%s", (_title, changes, state, viewers, expected) => {
    expect(statusOf(changes, { activity: state, viewers })).toBe(expected);
  });

  test("every state and activity has a status", () => {
    for (const state of SessionState.options) {
      for (const doing of ActivityState.options) {
        for (const viewers of [0, 1]) expect(SessionStatus.options).toContain(statusOf({ state }, { activity: doing, viewers }));
      }
    }
  });
});

test("toSession returns the record at one moment, with only the fields of Session", () => {
  const record = aRecord({ pane: PANE, pid: 77, project_path: "/home/ada", paused_at: AT, pause_summary: "lunch" });
  expect(toSession({ record, activity: activity("working"), viewers: 0 }, AT)).toEqual({
    id: record.id,
    workdir: "/home/ada/demo",
    status: "Paused",
    control: "Tmux",
    active_delegations: 0,
    tmux_name: "tmpm-demo",
    created_at: "2026-01-02T03:04:05Z",
    last_seen: AT,
    project_path: "/home/ada",
    paused_at: AT,
    pause_summary: "lunch",
    origin: "tmux",
    pid: 77,
  });
});
