import { claude, codex, shell } from "@tmpm/agents";
import { describe, expect, test } from "vitest";
import { arrivesAsItIs, plainText } from "../../src/delivery/plain-text.js";

describe("typed form of a text", () => {
  test("is planned by the agent's adapter", () => {
    expect(plainText(claude, { text: "/help is what?", asCommand: false })).toEqual(claude.text?.plan("/help is what?"));
  });

  test("is unchanged for a command, and for a program without rules", () => {
    expect(plainText(codex, { text: "use $skill", asCommand: true })).toMatchObject({ typed: "use $skill", altered: null });
    expect(plainText(shell, { text: "echo $HOME $", asCommand: false })).toMatchObject({ typed: "echo $HOME $", altered: null });
  });
});

test.each([
  [claude, "plain words", true],
  [claude, "a\tb", false],
  [claude, "/clear", false],
  [codex, "see $x", false],
  [shell, "/bin/true", true],
])("passes a first prompt in the arguments of $title only if it stays unchanged: %j", (agent, text, carried) => {
  expect(arrivesAsItIs(agent, text)).toBe(carried);
});
