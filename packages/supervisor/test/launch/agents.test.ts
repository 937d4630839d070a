import { type AgentAdapter, agentFromConfig, type Installed } from "@tmpm/agents";
import { describe, expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";

const PAIR = { id: "pair", argv: ["/bin/pair"], verified: ["1.0.0", "1.1.0"], protocol: ["/bin/pair", "acp"] };

function pairOf(version: string | null): AgentAdapter {
  const found: Installed = version === null ? { installed: false, hint: "Get it." } : { installed: true, path: "/bin/pair", version };
  return { ...agentFromConfig(PAIR), detect: async () => found };
}

describe("facts about agents", () => {
  test.each([
    ["1.1.0", true],
    ["2.0.0", false],
    [null, null],
  ])("say whether version %s was verified: %s", async (version, expected) => {
    const { sessions } = fixture({ adapters: [pairOf(version)] });
    const facts = await sessions.agent({ agent: "pair" });
    expect(facts).toMatchObject({ versionVerified: expected, protocol: { installed: false } });
  });

  test("are listed for all agents in the order of the registry, and missing for an unknown agent", async () => {
    const { sessions } = fixture({ adapters: [pairOf("1.1.0")] });
    const all = await sessions.agents();
    expect(all.map(({ adapter }) => adapter.id)).toEqual(["pair"]);
    await expect(sessions.agent({ agent: "none" })).rejects.toMatchObject({ code: "AGENT_UNKNOWN" });
  });
});
