import { expect, test } from "vitest";
import {
  type NamedProgram,
  type ProfileProgram,
  type ProgramProfile,
  profileAgent,
  profileProgram,
} from "../../src/agent/profile-program.js";

const careful = { agent: "claude", model: "opus", effort: "high", permissions: "plan" };
const settings = { model: "opus", reasoning_effort: "high", permissions: "plan" };
const aliased = { agent: "Claude Code", permissions: "plan" };
const dev = { command: ["npm", "run", "dev"], model: "m" };
const zsh = { agent: "command", command: ["/bin/zsh", "-l"], model: "m" };
const answered = { agent: null, command: ["fish"], model: null, provider: "p", effort: null, permissions: null };

const CASES: readonly (readonly [NamedProgram, ProgramProfile, ProfileProgram])[] = [
  [{}, {}, {}],
  [{}, { model: "m" }, { model: "m" }],
  [{}, careful, { agent: "claude", ...settings }],
  [{ agent: "claude" }, careful, { agent: "claude", ...settings }],
  [{ agent: "claude-code" }, careful, { agent: "claude", ...settings }],
  [{ agent: "claude" }, aliased, { agent: "claude", permissions: "plan" }],
  [{}, aliased, { agent: "claude", permissions: "plan" }],
  [{ agent: "codex" }, careful, { agent: "codex" }],
  [{ agent: "codex" }, { model: "m" }, { agent: "codex", model: "m" }],
  [{ argv: ["make"] }, careful, { agent: "command", argv: ["make"] }],
  [{ argv: ["fish"] }, careful, { agent: "shell", argv: ["fish"] }],
  [{ agent: "shell", argv: ["make"] }, {}, { agent: "command", argv: ["make"] }],
  [{ agent: "command", argv: ["fish"] }, {}, { agent: "command", argv: ["fish"] }],
  [{}, dev, { agent: "command", argv: dev.command, model: "m" }],
  [{ agent: "command" }, dev, { agent: "command", argv: dev.command, model: "m" }],
  [{ agent: "shell" }, dev, { agent: "shell", model: "m" }],
  [{}, zsh, { agent: "shell", argv: zsh.command, model: "m" }],
  [{ agent: "command" }, zsh, { agent: "shell", argv: zsh.command, model: "m" }],
  [{ agent: "claude" }, zsh, { agent: "claude" }],
  [{ agent: "command" }, answered, { agent: "shell", argv: ["fish"], model_provider: "p" }],
];

test.each(CASES)("%j with the profile %j runs %j", (named, profile, program) => {
  expect(profileProgram(named, profile)).toEqual(program);
});

test.each([
  [{}, null],
  [answered, "command"],
  [careful, "claude"],
  [aliased, "claude"],
])("the profile %j itself runs %s", (profile, agent) => {
  expect(profileAgent(profile)).toBe(agent);
});
