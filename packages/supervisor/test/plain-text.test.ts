import { claude, codex, shell } from "@tmpm/agents";
import { describe, expect, test } from "vitest";
import { arrivesAsItIs, plainText } from "../src/delivery/plain-text.js";

describe("what is typed for a text", () => {
  test("is what the agent's adapter plans", () => {
    expect(plainText(claude, { text: "/help is what?", asCommand: false })).toEqual(claude.text?.plan("/help is what?"));
  });

  test("is the text itself where a command is meant, and for a program without rules", () => {
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
])("a first prompt goes out in the arguments of $title only as it is: %j", (agent, text, carried) => {
  expect(arrivesAsItIs(agent, text)).toBe(carried);
});
