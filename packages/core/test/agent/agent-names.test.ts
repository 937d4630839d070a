import { agentFromCommand, agentFromTitle, agentIdFrom, contextLimitOf, KNOWN_AGENTS } from "@tmpm/core";
import { describe, expect, test } from "vitest";

describe("agentIdFrom", () => {
  test.each([
    ["claude", "claude"],
    ["claude-code", "claude"],
    ["claude_code", "claude"],
    ["Claude Code", "claude"],
    [" CODEX-CLI ", "codex"],
    ["open-code", "opencode"],
    ["OpenCode", "opencode"],
    ["grok_cli", "grok"],
  ])("maps %s to %s", (text, id) => {
    expect(agentIdFrom(text)).toBe(id);
  });

  test("keeps any other name as its own id, with its case", () => {
    for (const text of ["shell", "command", "My-Agent", "toString", "__proto__"]) expect(agentIdFrom(text)).toBe(text);
  });
});

describe("agentFromCommand", () => {
  test.each([
    ["claude", "claude"],
    ["/usr/local/bin/claude --resume x", "claude"],
    ["'claude-code'", "claude"],
    ["-codex", "codex"],
    ["env FOO=1 (Codex_CLI);", "codex"],
    ["npx  goose\trun", "goose"],
    ["{amp}", "amp"],
    ["cursor .", "cursor"],
  ])("detects %s from %s", (line, id) => {
    expect(agentFromCommand(line)?.id).toBe(id);
  });

  test.each(["", "   ", "vim claude.md", "claudette", "bash -c true", "constructor", "/"])("detects no agent in %j", (line) => {
    expect(agentFromCommand(line)).toBeNull();
  });

  test("the first word that names an agent wins", () => {
    expect(agentFromCommand("codex | claude")?.id).toBe("codex");
  });
});

test("titles match only the six distinctive names, in order", () => {
  expect(agentFromTitle("✳ Claude Code: fix codex")?.id).toBe("claude");
  expect(agentFromTitle("GOOSE session")?.id).toBe("goose");
  for (const title of ["example", "cursor", "amp", ""]) expect(agentFromTitle(title)).toBeNull();
});

describe("contextLimitOf", () => {
  test.each([
    ["claude", 200_000],
    ["codex-cli", 192_000],
    ["Grok", 128_000],
    ["amp", 200_000],
    ["opencode", 128_000],
    ["aider", 128_000],
    ["goose", 200_000],
    ["cline", 200_000],
    ["cursor", 200_000],
    ["shell", 128_000],
    [null, 128_000],
  ])("%s has a context of %d tokens", (agent, tokens) => {
    expect(contextLimitOf(agent)).toBe(tokens);
  });

  test("a reported limit overrides the table, zero does not (swimmers case 75)", () => {
    expect(contextLimitOf("codex", 256_000)).toBe(256_000);
    expect(contextLimitOf("codex", 0)).toBe(192_000);
  });
});

test("no alias or title maps to two agents", () => {
  const names = KNOWN_AGENTS.flatMap(({ aliases, title }) => [...new Set([...aliases, title.toLowerCase()])]);
  expect(new Set(names).size).toBe(names.length);
});
