import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentAdapterContract } from "../src/contract.js";
import { agents, type Observation, readScreen } from "../src/index.js";
import { DESCRIBED_SCREENS, recordedScreens } from "./recorded-screens.js";

const VERSIONS = readdirSync(DESCRIBED_SCREENS).sort();
const agentOf = (version: string) => version.split("-")[0] ?? "";
const screensOf = (version: string) => recordedScreens(version, DESCRIBED_SCREENS);

function screenOf(version: string, name: string): Observation {
  const found = screensOf(version).find((screen) => screen.name === name);
  if (found === undefined) throw new Error(`no screen ${name} of ${version}`);
  return found.observation;
}

describe.each(VERSIONS)("described agent %s", (version) => {
  agentAdapterContract({ test, adapter: agents().find(agentOf(version)), screens: screensOf(version) });

  test("has a verified version", () => {
    expect(agents().find(agentOf(version)).verified).toContain(version.split("-")[1]);
  });

  test("is not detected in another agent's screen", () => {
    const others = readdirSync(join(DESCRIBED_SCREENS, "../screens")).flatMap((other) => recordedScreens(other));
    const described = VERSIONS.filter((other) => other !== version).flatMap(screensOf);
    for (const { observation, name } of [...others, ...described]) {
      const { state } = readScreen(agentOf(version), { ...observation, title: "host", command: "node" });
      expect(["idle", "working"], `${version} reads ${name} as ${state}`).not.toContain(state);
    }
  });
});

describe("described input", () => {
  test.each(["pi-0.73.1", "copilot-1.0.102", "continue-1.5.47"])("reads all rows: %s", (version) => {
    const name = version.startsWith("pi") ? "03-three-rows" : "02-three-rows";
    expect(readScreen(agentOf(version), screenOf(version, name)).draft).toBe("a draft of mine\nsecond row\n  third row");
  });

  test.each([
    ["qwen-0.24.4", "Type your message"],
    ["continue-1.5.47", "Ask anything"],
  ])("is empty when it shows a suggestion: %s", (version, words) => {
    const screen = screenOf(version, "01-suggestion");
    expect(readScreen(agentOf(version), screen).draft).toBe("");
    const { styles: _, ...unstyled } = screen;
    expect(readScreen(agentOf(version), unstyled).draft).toContain(words);
  });

  test("reports the approval shown in its place, and the keys for it", () => {
    const adapter = agents().find("continue");
    const asking = adapter.read(screenOf("continue-1.5.47", "01-command"));
    expect(asking.decision).toMatchObject({ kind: "approval", subject: "touch /home/me/projects/example-cn/allowed.txt" });
    expect([adapter.approve(asking), adapter.deny(asking)]).toEqual([["Tab"], ["Escape"]]);
  });
});
