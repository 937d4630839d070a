import assert from "node:assert/strict";
import type { ActivityState } from "@tmpm/core";
import type { AgentAdapter, Observation } from "./adapter.js";

export interface AgentContractOptions {
  /** The runner's own `test`. */
  readonly test: (title: string, run: () => void | Promise<void>) => void;
  readonly adapter: AgentAdapter;
  /** Screens of the real program with their states. */
  readonly screens: readonly { readonly name: string; readonly state: ActivityState; readonly observation: Observation }[];
}

/** Guarantees of every adapter: it reads any screen without failing, and never claims what is not visible. */
export function agentAdapterContract({ test, adapter, screens }: AgentContractOptions): void {
  const seen = [...screens.map(({ observation }) => observation), ...oddScreens()];

  test("has a lower-case slug as id", () => {
    assert.match(adapter.id, /^[a-z][a-z0-9-]{0,31}$/);
  });

  for (const { name, state, observation } of screens) {
    test(`reads ${name} as ${state}`, () => {
      assert.equal(adapter.read(observation).state, state);
    });
  }

  test("reads any screen, with evidence and a confidence between 0 and 1", () => {
    for (const observation of seen) {
      const { confidence, evidence } = adapter.read(observation);
      assert.ok(confidence >= 0 && confidence <= 1, `confidence ${confidence}`);
      assert.ok(evidence.length > 0 && evidence.every((line) => line.trim() !== ""));
    }
  });

  test("reads a screen the same way every time and does not modify it", () => {
    for (const observation of seen) {
      const before = structuredClone(observation);
      assert.deepEqual(adapter.read(observation), adapter.read(observation));
      assert.deepEqual(observation, before);
    }
  });

  test("reads a dead terminal as exited", () => {
    for (const observation of seen) {
      assert.equal(adapter.read({ ...observation, dead: true }).state, "exited");
    }
  });

  test("has low confidence in unknown", () => {
    for (const observation of seen) {
      const { state, confidence } = adapter.read(observation);
      if (state === "unknown") assert.ok(confidence <= 0.5);
    }
  });

  test("has a hint when a session is blocked", () => {
    for (const observation of seen) {
      const { state, hint } = adapter.read(observation);
      if (state === "blocked") assert.ok(hint);
    }
  });

  test("reports a decision only while one is pending", () => {
    for (const observation of seen) {
      const { state, decision } = adapter.read(observation);
      if (decision === null) continue;
      assert.equal(state, decision.kind === "approval" ? "awaiting_approval" : "awaiting_input");
      assert.notEqual(decision.subject.trim(), "");
    }
  });

  test("has keys for an approval only while one is pending", () => {
    for (const observation of seen) {
      const reading = adapter.read(observation);
      if (reading.state === "awaiting_approval") continue;
      assert.equal(adapter.approve(reading), null);
      assert.equal(adapter.deny(reading), null);
    }
  });

  test("sees no text arrive or leave while nothing changes", () => {
    for (const observation of seen) {
      for (const text of ["an unlikely text", "two\nlines of it", " "]) {
        assert.equal(adapter.arrived({ before: observation, now: observation, text }), null);
        assert.equal(adapter.submitted({ typed: observation, now: observation, text }), null);
      }
    }
  });

  test("reports how to install a missing program", async () => {
    const found = await adapter.detect({ PATH: "/nonexistent" });
    if (!found.installed) assert.ok(found.hint);
  });
}

function oddScreens(): readonly Observation[] {
  const plain: Observation = {
    lines: [],
    columns: 80,
    cursor: { column: 0, row: 0, visible: true },
    historySize: 0,
    title: "",
    foreground: null,
    command: "",
    dead: false,
  };
  return [
    plain,
    { ...plain, foreground: true },
    { ...plain, foreground: false, command: "vim" },
    { ...plain, columns: 1, lines: ["─", "❯", "─"] },
    { ...plain, cursor: { column: 500, row: 500, visible: false } },
    { ...plain, lines: Array.from({ length: 60 }, (_, row) => "─❯>$ 1. Yes │╰".repeat(row % 9)) },
    { ...plain, lines: ["Do you want to proceed?", "❯ 1. Yes", "  2. No", "esc to interrupt"], historySize: 100_000 },
  ];
}
