import { hasCode } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { agents, claude, shell } from "../src/index.js";

describe("agents", () => {
  test("finds each agent by its id", () => {
    const known = agents();
    expect(known.list().map(({ id }) => id)).toEqual([
      "shell",
      "command",
      "claude",
      "codex",
      "gemini",
      "opencode",
      "copilot",
      "qwen",
      "pi",
      "continue",
    ]);
    for (const adapter of known.list()) expect(known.find(adapter.id)).toBe(adapter);
  });

  test("rejects an unknown id and names the known ones", () => {
    const find = () => agents([shell, claude]).find("clade");
    expect(find).toThrow(expect.objectContaining({ code: "AGENT_UNKNOWN", hint: "Known agents: shell, claude." }));
  });

  test("does not take an inherited property for an agent", () => {
    expect(() => agents().find("constructor")).toThrow(expect.toSatisfy((error) => hasCode(error, "AGENT_UNKNOWN")));
  });

  test("rejects two agents with one id", () => {
    expect(() => agents([shell, { ...claude, id: "shell" }])).toThrow(TypeError);
  });
});
