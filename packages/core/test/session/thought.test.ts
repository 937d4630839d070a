import { acceptsThought, carryThought, type ThoughtDelivery, ThoughtSnapshot, type ThoughtSummary, withThought } from "@tmpm/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forAll } from "../for-all.js";

const AT = "2026-02-03T04:05:06Z";
const LATER = "2026-02-03T05:05:06Z";

function snapshot(changes: Partial<ThoughtSnapshot> = {}): ThoughtSnapshot {
  return ThoughtSnapshot.parse({ updated_at: AT, ...changes });
}

function delivery(stream_instance_id: string | null, emission_seq: number): ThoughtDelivery {
  return { stream_instance_id, emission_seq };
}

describe("thought delivery", () => {
  test.each([
    { current: null, incoming: delivery("a", 1), accepted: true },
    { current: null, incoming: delivery("a", 7), accepted: true },
    { current: null, incoming: delivery(null, 0), accepted: true },
    { current: delivery("a", 3), incoming: delivery("a", 4), accepted: true },
    { current: delivery("a", 3), incoming: delivery("a", 3), accepted: false },
    { current: delivery("a", 3), incoming: delivery("a", 2), accepted: false },
    { current: delivery("a", 3), incoming: delivery("b", 1), accepted: true },
    { current: delivery("a", 3), incoming: delivery("b", 2), accepted: false },
    { current: delivery("a", 3), incoming: delivery("a", 0), accepted: false },
    { current: delivery("a", 3), incoming: delivery(null, 0), accepted: false },
    { current: delivery("a", 3), incoming: delivery(null, 5), accepted: true },
    { current: delivery(null, 3), incoming: delivery("b", 2), accepted: true },
    { current: delivery(null, 3), incoming: delivery("b", 0), accepted: true },
  ])("after $current, $incoming: $accepted", ({ current, incoming, accepted }) => {
    expect(acceptsThought(current, incoming)).toBe(accepted);
  });

  test("keeps the newest snapshot of a stream, whatever the order", () => {
    forAll([fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 1 })], (order) => {
      let current: ThoughtDelivery | null = null;
      for (const seq of order) if (acceptsThought(current, delivery("a", seq))) current = delivery("a", seq);
      expect(current?.emission_seq).toBe(Math.max(...order));
    });
  });
});

describe("stored thought", () => {
  test("carries the objective's time forward, and keeps its own time", () => {
    const before = snapshot({ objective_changed_at: AT });
    expect(carryThought(before, snapshot({ updated_at: LATER }))).toMatchObject({ objective_changed_at: AT, updated_at: LATER });
    expect(carryThought(before, snapshot({ objective_changed_at: LATER }))).toMatchObject({ objective_changed_at: LATER });
  });

  test("a mere sleep notice keeps the last real thought", () => {
    const asleep = snapshot({ thought: "Sleeping.", thought_source: "static_sleeping", thought_state: "sleeping" });
    const kept = carryThought(snapshot({ thought: "Fixes the parser" }), asleep);
    expect(kept).toMatchObject({ thought: "Fixes the parser", thought_source: "carry_forward", thought_state: "sleeping" });
    expect(carryThought(snapshot({ thought: "sleeping" }), asleep).thought).toBeNull();
    expect(carryThought(null, asleep).thought).toBeNull();
  });

  test("keeps fields of a newer provider", () => {
    expect(carryThought(null, ThoughtSnapshot.parse({ updated_at: AT, mood: "calm" }))).toMatchObject({ mood: "calm" });
  });
});

describe("summary with a thought", () => {
  const summary: ThoughtSummary = {
    thought: null,
    thought_state: "holding",
    thought_source: "carry_forward",
    thought_updated_at: null,
    rest_state: "active",
    commit_candidate: false,
    action_cues: [],
    objective_changed_at: null,
    token_count: 5000,
    context_limit: 200_000,
  };

  test("takes fields that only the snapshot has", () => {
    const seen = snapshot({
      thought: "Reads",
      thought_state: "active",
      rest_state: "drowsy",
      commit_candidate: true,
      objective_changed_at: AT,
    });
    expect(withThought(summary, seen)).toMatchObject({
      thought: "Reads",
      thought_state: "active",
      thought_updated_at: AT,
      rest_state: "drowsy",
      commit_candidate: true,
      objective_changed_at: AT,
    });
  });

  test("keeps its own thought", () => {
    expect(withThought({ ...summary, thought: "own" }, snapshot({ thought: "other" })).thought).toBe("own");
  });

  test("keeps its counts when the snapshot has zeros", () => {
    expect(withThought(summary, snapshot())).toMatchObject({ token_count: 5000, context_limit: 200_000 });
    expect(withThought(summary, snapshot({ token_count: 44, context_limit: 1000 }))).toMatchObject({
      token_count: 44,
      context_limit: 1000,
    });
  });
});
