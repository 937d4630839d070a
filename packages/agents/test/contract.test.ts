import { describe, expect, test } from "vitest";
import type { AgentAdapter } from "../src/adapter.js";
import { agentAdapterContract } from "../src/contract.js";
import { shell } from "../src/index.js";
import type { Decision } from "../src/screen/decision.js";
import { screen } from "./screen.js";

const ASKED: Decision = { kind: "approval", tool: null, subject: "touch x", choices: [] };

describe("the contract of adapters bites", () => {
  const reading = shell.read(screen(["demo$ "], { foreground: true }));

  test.each<[string, Partial<AgentAdapter>]>([
    ["its id is", { id: "My Agent" }],
    ["reads a prompt as idle", { read: () => ({ ...reading, state: "working" }) }],
    ["reads any screen", { read: () => ({ ...reading, confidence: 2 }) }],
    ["reads any screen", { read: () => ({ ...reading, evidence: [] }) }],
    ["reads the same screen the same way", { read: unsteady() }],
    ["calls a dead terminal exited", { read: () => reading }],
    ["is never sure of what it does not know", { read: () => ({ ...reading, state: "unknown" }) }],
    ["says what to do", { read: () => ({ ...reading, state: "blocked", hint: null }) }],
    ["reports what is asked only", { read: () => ({ ...reading, decision: ASKED }) }],
    ["reports what is asked only", { read: () => ({ ...reading, state: "awaiting_approval", decision: { ...ASKED, subject: " " } }) }],
    ["has keys for an approval only", { approve: () => ["Enter"] }],
    ["has keys for an approval only", { deny: () => ["Escape"] }],
    ["sees no text arrive", { arrived: () => "it must be there" }],
    ["sees no text arrive", { submitted: () => "it must be gone" }],
    ["reports how to install a missing program", { detect: async () => ({ installed: false, hint: "" }) }],
  ])("on an adapter that fails: %s", async (title, fault) => {
    const failed = await failures({ ...shell, ...fault });
    expect(failed.filter((name) => name.startsWith(title))).not.toEqual([]);
  });

  test("and passes the original", async () => {
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
