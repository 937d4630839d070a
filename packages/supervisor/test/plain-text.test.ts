import { claude, codex, gemini, shell } from "@tmpm/agents";
import { describe, expect, test } from "vitest";
import { plainText } from "../src/delivery/plain-text.js";

describe("a text stays a text", () => {
  test.each([
    { agent: codex, text: "costs 5 $", typed: "costs 5 $ " },
    { agent: codex, text: "see @readme", typed: "see @readme " },
    { agent: codex, text: "mail a@b", typed: "mail a@b" },
    { agent: codex, text: "$x and more", typed: "$x and more" },
    { agent: claude, text: "ask @x", typed: "ask @x " },
    { agent: claude, text: "a\\", typed: "a\\ " },
    { agent: claude, text: "and /x", typed: "and /x " },
    { agent: gemini, text: "@", typed: "@ " },
    { agent: gemini, text: "a\\", typed: "a\\ " },
    { agent: shell, text: "echo $HOME $", typed: "echo $HOME $" },
  ])("of $agent.title: $text", ({ agent, text, typed }) => {
    const plain = plainText(agent, { text, asCommand: false });
    expect(plain).toEqual({ kind: "typed", typed, arrives: typed, altered: typed === text ? null : "a space is added behind it" });
  });

  test("unless a command is meant", () => {
    expect(plainText(codex, { text: "use $skill", asCommand: true })).toMatchObject({ typed: "use $skill", altered: null });
  });
});
