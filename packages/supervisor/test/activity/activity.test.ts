import type { ActivityState } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { ALONE_MS, believe, HOLD_MS, rulingEdge } from "../../src/activity/believe.js";
import type { Edge, Level } from "../../src/activity/evidence.js";
import { EMPTY_TRACK, type Track, withEdge, withLevel, withPrompt, withSubagent } from "../../src/activity/track.js";
import { randomly } from "../fixtures/randomly.js";

const BELIEF_MS = 30_000;
const T = 1_800_000_000_000;

type Seen = { readonly at: number } & (
  | { readonly hook: ActivityState | null }
  | { readonly prompt: "submitted" }
  | { readonly screen: ActivityState; readonly confidence?: number; readonly printed?: number }
);

/** The believed state at a time after these hooks and observations; `at` in ms. */
function after(seen: readonly Seen[], at: number): Activity {
  return asSeen(track(seen), at);
}

type Activity = { readonly state: ActivityState; readonly source: string } | null;

function asSeen(known: Track, at: number): Activity {
  const activity = believe(known, { nowMs: T + at, beliefMs: BELIEF_MS });
  return activity === null ? null : { state: activity.state, source: activity.source };
}

function track(seen: readonly Seen[]): Track {
  return seen.reduce<Track>((known, one) => {
    const next = taken(known, one);
    return { ...next, belief: believe(next, { nowMs: T + one.at, beliefMs: BELIEF_MS }) };
  }, EMPTY_TRACK);
}

const BEGIN_MS = 10_000;

function taken(known: Track, one: Seen): Track {
  if ("prompt" in one) return withPrompt(known, { atMs: T + one.at, untilMs: T + one.at + BEGIN_MS });
  return "hook" in one ? withEdge(known, edge(one.hook, one.at)) : withLevel(known, level(one.screen, one));
}

function edge(state: ActivityState | null, at: number): Edge {
  return { event: `hook-${state}`, state, source: "hook", what: `the hook said ${state}`, atMs: T + at };
}

type Shown = { readonly at: number; readonly confidence?: number; readonly printed?: number };

function level(state: ActivityState, { at, confidence = 0.9, printed }: Shown): Level {
  const printedMs = printed === undefined ? null : T + printed;
  return { state, source: "screen", confidence, evidence: [`the screen shows ${state}`], atMs: T + at, printedMs };
}

describe("activity", () => {
  test("is unknown before the first observation or event", () => {
    expect(after([], 0)).toBeNull();
  });

  test("a Stop is believed 0.1 to 0.7 s before the idle screen, which then confirms it", () => {
    const turn: Seen[] = [
      { at: 0, hook: "working" },
      { at: 300, screen: "working" },
      { at: 3_930, hook: "idle" },
      { at: 4_000, screen: "working" },
    ];
    expect(after(turn, 4_000)).toEqual({ state: "idle", source: "hook" });
    expect(after([...turn, { at: 4_500, screen: "idle" }], 4_500)).toEqual({ state: "idle", source: "screen" });
  });

  test("a permission request is believed before its dialog is drawn", () => {
    const asked: Seen[] = [
      { at: 0, hook: "working" },
      { at: 300, screen: "working" },
      { at: 1_670, hook: "awaiting_approval" },
      { at: 1_700, screen: "working" },
    ];
    expect(after(asked, 1_700)).toEqual({ state: "awaiting_approval", source: "hook" });
  });

  test("an interrupt without a hook is seen on the screen at once, if the screen had shown the work", () => {
    const interrupted: Seen[] = [
      { at: 0, hook: "working" },
      { at: 300, screen: "working" },
      { at: 900, screen: "idle" },
    ];
    expect(after(interrupted, 900)).toEqual({ state: "idle", source: "screen" });
  });

  test("a submitted prompt counts as work for a limited time, even while the screen still shows the old idle input", () => {
    const sent: Seen[] = [
      { at: -500, screen: "idle" },
      { at: 0, prompt: "submitted" },
      { at: 200, screen: "idle" },
    ];
    expect(after(sent, 200)).toEqual({ state: "working", source: "screen" });
    expect(after([...sent, { at: BEGIN_MS, screen: "idle" }], BEGIN_MS)).toEqual({ state: "idle", source: "screen" });
    const begun: Seen[] = [...sent, { at: 4_000, screen: "working" }, { at: 6_000, screen: "idle" }];
    expect(after(begun, 6_000)).toEqual({ state: "idle", source: "screen" });
  });

  test("a hook that reports the prompt does not end this period, but one that reports the end of its turn does", () => {
    const heard: Seen[] = [
      { at: 0, prompt: "submitted" },
      { at: 100, hook: "working" },
      { at: 100 + HOLD_MS, screen: "idle" },
    ];
    expect(after(heard, 100 + HOLD_MS)).toEqual({ state: "working", source: "screen" });
    const ended: Seen[] = [...heard, { at: 5_000, hook: "idle" }, { at: 5_100, screen: "idle" }];
    expect(after(ended, 5_100)).toEqual({ state: "idle", source: "screen" });
  });

  test("a turn that ended before its prompt was confirmed counts as ended; the end of the previous turn does not end it", () => {
    const fast: Seen[] = [
      { at: 200, screen: "working" },
      { at: 400, screen: "idle" },
      { at: 0, prompt: "submitted" },
    ];
    expect(after(fast, 400)).toEqual({ state: "idle", source: "screen" });
    const before: Seen[] = [
      { at: -100, hook: "idle" },
      { at: -50, screen: "working" },
      { at: 0, prompt: "submitted" },
      { at: 50, screen: "idle" },
    ];
    expect(after(before, 50)).toEqual({ state: "working", source: "screen" });
  });

  test("a refusal without a hook is seen on the screen at once, if the screen had shown the dialog", () => {
    const denied: Seen[] = [
      { at: 0, hook: "awaiting_approval" },
      { at: 400, screen: "awaiting_approval" },
      { at: 800, screen: "idle" },
    ];
    expect(after(denied, 800)).toEqual({ state: "idle", source: "screen" });
  });

  test("an interrupt before any observation of the work is seen once the hook's hold time is over", () => {
    const interrupted: Seen[] = [
      { at: 0, hook: "working" },
      { at: 500, screen: "idle" },
    ];
    expect(after(interrupted, 500)).toEqual({ state: "working", source: "hook" });
    expect(after([...interrupted, { at: HOLD_MS, screen: "idle" }], HOLD_MS)).toEqual({ state: "idle", source: "screen" });
  });

  test("a running tool or sub-agent does not hide a dialog on the screen", () => {
    const parallel: Seen[] = [
      { at: 0, hook: "awaiting_approval" },
      { at: 400, screen: "awaiting_approval" },
      { at: 600, hook: "working" },
    ];
    expect(after(parallel, 600)).toEqual({ state: "awaiting_approval", source: "screen" });
    expect(after([...parallel, { at: 700, screen: "working" }], 700)).toEqual({ state: "working", source: "screen" });
  });

  test("a question on the screen confirms the permission request of a hook", () => {
    const asked: Seen[] = [
      { at: 0, hook: "awaiting_approval" },
      { at: 400, screen: "awaiting_input" },
    ];
    expect(after(asked, 400)).toEqual({ state: "awaiting_input", source: "screen" });
  });

  test("an ended program outweighs its last hooks", () => {
    const ended: Seen[] = [
      { at: 0, hook: "working" },
      { at: 10, screen: "exited" },
    ];
    expect(after(ended, 20)).toMatchObject({ state: "exited" });
  });

  test("hooks are believed over an inconclusive screen, for a limited time", () => {
    const blind: Seen[] = [
      { at: 0, hook: "working" },
      { at: 100, screen: "unknown", confidence: 0.2 },
    ];
    const looked: Seen[] = [...blind, { at: ALONE_MS, screen: "unknown", confidence: 0.2 }];
    expect(after(blind, 20_000)).toEqual({ state: "working", source: "hook" });
    expect(after(looked, ALONE_MS)).toMatchObject({ state: "unknown" });
  });

  test("without an observation, a hook expires as soon as an observation would", () => {
    expect(after([{ at: 0, hook: "idle" }], BELIEF_MS - 1)).toEqual({ state: "idle", source: "hook" });
    expect(after([{ at: 0, hook: "idle" }], BELIEF_MS)).toBeNull();
    const stale: Seen[] = [
      { at: 0, screen: "working" },
      { at: 5_000, hook: "idle" },
    ];
    expect(after(stale, 20_000)).toEqual({ state: "idle", source: "hook" });
    expect(after(stale, 36_000)).toMatchObject({ state: "unknown" });
  });

  test("an event without a state is recorded and changes nothing", () => {
    const known = track([
      { at: 0, screen: "working" },
      { at: 100, hook: null },
    ]);
    expect(asSeen(known, 100)).toMatchObject({ state: "working" });
    expect(known.account.map(({ what }) => what)).toEqual(["the screen shows working", "the hook said null"]);
    expect(known.heardMs).toBe(T + 100);
  });

  test("a state keeps its start from the hook to the screen and over further observations", () => {
    const known = track([
      { at: 0, hook: "idle" },
      { at: 500, screen: "idle" },
      { at: 9_000, screen: "idle" },
    ]);
    expect(Date.parse(known.belief?.since ?? "")).toBe(T);
    expect(known.belief?.confidence).toBeGreaterThan(0.9);
    expect(known.account.map(({ times }) => times)).toEqual([1, 2]);
  });

  test("an unknown start is dated from the last output, as after a daemon restart, or else from the observation", () => {
    const sinceOf = (...seen: readonly Seen[]) => Date.parse(track(seen).belief?.since ?? "") - T;
    const waits = { at: 9_000, screen: "awaiting_approval", printed: -60_000 } as const;
    expect(sinceOf(waits)).toBe(-60_000);
    expect(sinceOf({ at: 0, screen: "unknown" }, waits)).toBe(-60_000);
    expect(sinceOf({ at: 0, screen: "working" }, waits)).toBe(9_000);
    expect(sinceOf({ at: 9_000, screen: "idle", printed: 9_500 })).toBe(9_000);
  });
});

describe("sub-agents", () => {
  test("sub-agents are counted while they run, and none is left when the turn has ended", () => {
    const started = [1, 2, 2].reduce<Track>((known, id) => withSubagent(known, { change: "started", id: `a${id}` }), EMPTY_TRACK);
    expect(started.subagents.size).toBe(2);
    expect(withSubagent(started, { change: "ended", id: "a1" }).subagents.size).toBe(1);
    expect(withEdge(started, edge("idle", 0)).subagents.size).toBe(0);
  });
});

const STATES: readonly ActivityState[] = ["working", "idle", "awaiting_approval", "awaiting_input", "blocked", "errored"];

describe("random orders of hooks and observations", () => {
  const { pick, below, rounds } = randomly();

  function* history(): Generator<Seen> {
    for (let at = 0, left = below(25); left > 0; left--) {
      at += below(2_000);
      yield below(2) === 0 ? { at, hook: pick(STATES) } : { at, screen: pick([...STATES, "unknown"]), confidence: pick([0.2, 0.6, 0.95]) };
    }
  }

  test("the screen decides within the hold time once hooks stop", () => {
    for (let round = 0; round < rounds(300); round++) {
      const seen = [...history()];
      const last = seen.at(-1)?.at ?? 0;
      const shown = pick(STATES);
      const looks: Seen[] = [0, 1_000, HOLD_MS].map((ms) => ({ at: last + ms, screen: shown }));
      expect(after([...seen, ...looks], last + HOLD_MS), JSON.stringify(seen)).toEqual({ state: shown, source: "screen" });
    }
  });

  test("every belief expires without an observation", () => {
    for (let round = 0; round < rounds(300); round++) {
      const known = track([...history()]);
      const { belief } = known;
      if (belief === null) continue;
      expect(belief.expires_at).not.toBeNull();
      const later = asSeen(known, 10 * ALONE_MS);
      expect(later === null || later.state === "unknown").toBe(true);
    }
  });

  test("beliefs depend on when hooks happened, not on the order of their arrival", () => {
    for (let round = 0; round < rounds(200); round++) {
      const hooks = Array.from({ length: 1 + below(8) }, (_, index) => ({ at: index * 10, hook: pick(STATES) }) as const);
      const shuffled = hooks.map((hook) => ({ hook, key: below(1_000_000) })).toSorted((a, b) => a.key - b.key);
      const arrived = track(shuffled.map(({ hook }) => hook));
      expect(arrived.edge).toEqual(track(hooks).edge);
      expect(rulingEdge(arrived, { nowMs: T + 100, beliefMs: BELIEF_MS })?.edge.state).toBe(hooks.at(-1)?.hook);
    }
  });
});
