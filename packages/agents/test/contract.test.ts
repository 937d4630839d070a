import { describe, expect, test } from "vitest";
import type { AgentAdapter } from "../src/adapter.js";
import { agentAdapterContract } from "../src/contract.js";
import { shell } from "../src/index.js";
import type { Decision } from "../src/screen/decision.js";
import { screen } from "./screen.js";

const ASKED: Decision = { kind: "approval", tool: null, subject: "touch x", choices: [] };

describe("contract of adapters", () => {
  const reading = shell.read(screen(["demo$ "], { foreground: true }));

  test.each<[string, Partial<AgentAdapter>]>([
    ["has a lower-case slug", { id: "My Agent" }],
    ["reads a prompt as idle", { read: () => ({ ...reading, state: "working" }) }],
    ["reads any screen", { read: () => ({ ...reading, confidence: 2 }) }],
    ["reads any screen", { read: () => ({ ...reading, evidence: [] }) }],
    ["reads a screen the same way", { read: unsteady() }],
    ["reads a dead terminal as exited", { read: () => reading }],
    ["has low confidence in unknown", { read: () => ({ ...reading, state: "unknown" }) }],
    ["has a hint", { read: () => ({ ...reading, state: "blocked", hint: null }) }],
    ["reports a decision only", { read: () => ({ ...reading, decision: ASKED }) }],
    ["reports a decision only", { read: () => ({ ...reading, state: "awaiting_approval", decision: { ...ASKED, subject: " " } }) }],
    ["has keys for an approval only", { approve: () => ["Enter"] }],
    ["has keys for an approval only", { deny: () => ["Escape"] }],
    ["sees no text arrive", { arrived: () => "it must be there" }],
    ["sees no text arrive", { submitted: () => "it must be gone" }],
    ["reports how to install a missing program", { detect: async () => ({ installed: false, hint: "" }) }],
  ])("fails on a faulty adapter: %s", async (title, fault) => {
    const failed = await failures({ ...shell, ...fault });
    expect(failed.filter((name) => name.startsWith(title))).not.toEqual([]);
  });

  test("passes on the original", async () => {
    expect(await failures(shell)).toEqual([]);
  });
});

async function failures(adapter: AgentAdapter): Promise<readonly string[]> {
  const tests: { readonly title: string; readonly run: () => void | Promise<void> }[] = [];
  const screens = [{ name: "a prompt", state: "idle", observation: screen(["demo$ "], { foreground: true }) }] as const;
  agentAdapterContract({ test: (title, run) => tests.push({ title, run }), adapter, screens });
  const results = await Promise.allSettled(tests.map(async ({ run }) => run()));
  return tests.flatMap(({ title }, i) => (results[i]?.status === "rejected" ? [title] : []));
}

function unsteady(): AgentAdapter["read"] {
  let count = 0;
  return (observation) => ({ ...shell.read(observation), evidence: [`look ${++count}`] });
}
