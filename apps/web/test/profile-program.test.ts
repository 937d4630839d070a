import type { ProfileAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { agentOf, offered, profileOf, programOf } from "../src/state/profile-program.js";

const NOTHING = { agent: null, command: null, env: [], model: null, provider: null, effort: null, permissions: null };
const careful: ProfileAnswer = { ...NOTHING, name: "careful", agent: "claude", model: "opus", permissions: "plan" };
const dev: ProfileAnswer = { ...NOTHING, name: "dev", command: ["npm", "run", "dev"] };
const list = { profiles: [careful, dev], default: "careful", next: null };
const installed = ["claude", "shell"];

test("the configuration's default profile applies until another one, or none, is chosen", () => {
  expect(profileOf({ profile: null }, list)).toBe(careful);
  expect(profileOf({ profile: "dev" }, list)).toBe(dev);
  expect(profileOf({ profile: "" }, list)).toBeNull();
  expect(profileOf({ profile: "removed since" }, list)).toBeNull();
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

test("its options are part of the request, but not for another agent", () => {
  expect(programOf("claude", careful)).toEqual({ agent: "claude", model: "opus", permissions: "plan" });
  expect(programOf("shell", careful)).toEqual({ agent: "shell" });
  expect(programOf("command", dev)).toEqual({ agent: "command", argv: ["npm", "run", "dev"] });
  const zsh = { ...dev, name: "zsh", command: ["/bin/zsh", "-l"] };
  expect(programOf("command", zsh)).toEqual({ agent: "shell", argv: ["/bin/zsh", "-l"] });
  expect(programOf("shell", null)).toEqual({ agent: "shell" });
});
