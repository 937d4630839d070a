import type { ProfileAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { agentOf, offered, profileOf, programOf } from "../src/state/profile-program.js";

const NOTHING = { agent: null, command: null, env: [], model: null, provider: null, effort: null, permissions: null };
const careful: ProfileAnswer = { ...NOTHING, name: "careful", agent: "claude", model: "opus", permissions: "plan" };
const dev: ProfileAnswer = { ...NOTHING, name: "dev", command: ["npm", "run", "dev"] };
const list = { profiles: [careful, dev], default: "careful", next: null };
const installed = ["claude", "shell"];

test("the configuration's default profile applies until another one, or none, is chosen", () => {
  expect(profileOf({ profile: null }, list)).toEqual({ kind: "profile", profile: careful });
  expect(profileOf({ profile: "dev" }, list)).toEqual({ kind: "profile", profile: dev });
  expect(profileOf({ profile: "" }, list)).toEqual({ kind: "none" });
  expect(profileOf({ profile: null }, { ...list, default: null })).toEqual({ kind: "none" });
});

test("a profile that does not exist, or is not loaded yet, is missing, with the reason", () => {
  const removed = { kind: "missing", name: "removed", reason: expect.stringContaining("no profile removed") };
  expect(profileOf({ profile: "removed" }, list)).toEqual(removed);
  expect(profileOf({ profile: null }, { ...list, default: "removed" })).toEqual(removed);
  const unloaded = { kind: "missing", reason: expect.stringContaining("not loaded") };
  expect(profileOf({ profile: null }, null)).toEqual({ ...unloaded, name: null });
  expect(profileOf({ profile: "careful" }, null)).toEqual({ ...unloaded, name: "careful" });
  expect(profileOf({ profile: "" }, null)).toEqual({ kind: "none" });
});

test("a profile decides the agent, unless one was chosen with it", () => {
  expect(agentOf({ profile: "careful", agent: "" }, { profile: careful, installed })).toBe("claude");
  expect(agentOf({ profile: "careful", agent: "shell" }, { profile: careful, installed })).toBe("shell");
  expect(agentOf({ profile: null, agent: "shell" }, { profile: careful, installed })).toBe("claude");
  expect(agentOf({ profile: null, agent: "shell" }, { profile: null, installed })).toBe("shell");
  expect(agentOf({ profile: "", agent: "gone" }, { profile: null, installed })).toBe("claude");
  expect(offered({ profile: dev, installed })).toEqual(["command", "claude", "shell"]);
  expect(agentOf({ profile: "dev", agent: "" }, { profile: dev, installed })).toBe("command");
});

test("a profile's agent that is named by an alias is the installed one", () => {
  const aliased = { ...careful, agent: "claude-code" };
  expect(offered({ profile: aliased, installed })).toEqual(installed);
  expect(agentOf({ profile: "careful", agent: "" }, { profile: aliased, installed })).toBe("claude");
});

test("the request contains the profile's settings, except for another agent", () => {
  expect(programOf("claude", careful)).toEqual({ agent: "claude", model: "opus", permissions: "plan" });
  expect(programOf("shell", careful)).toEqual({ agent: "shell" });
  expect(programOf("command", dev)).toEqual({ agent: "command", argv: ["npm", "run", "dev"] });
  expect(programOf("shell", null)).toEqual({ agent: "shell" });
});
