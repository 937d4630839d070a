import { describe, expect, test } from "vitest";
import type { AgentAdapter, SeedFile } from "../src/index.js";
import { claude, codex, gemini, opencode } from "../src/index.js";

const CWD = '/home/demo/a "b" c.d';
const ENV = { HOME: "/home/demo" };

describe("first-start questions are answered beforehand", () => {
  test("in the files that the agent reads", () => {
    expect(paths(claude, {})).toEqual(["/home/demo/.claude.json"]);
    expect(paths(claude, { CLAUDE_CONFIG_DIR: "/c" })).toEqual(["/c/.claude.json"]);
    expect(paths(codex, {})).toEqual(["/home/demo/.codex/config.toml"]);
    expect(paths(codex, { CODEX_HOME: "/c" })).toEqual(["/c/config.toml"]);
    expect(paths(gemini, {})).toEqual(["/home/demo/.gemini/trustedFolders.json"]);
    expect(opencode.seed).toBeNull();
  });

  test("with folder trust only if the user granted it", () => {
    expect(codex.seed?.({ cwd: CWD, env: ENV, trust: false })).toEqual([]);
    expect(gemini.seed?.({ cwd: CWD, env: ENV, trust: false })).toEqual([]);
    const [file] = claude.seed?.({ cwd: CWD, env: ENV, trust: false }) ?? [];
    expect(file?.merge(null)).not.toContain("Trust");
  });

  test("once: a second time changes nothing", () => {
    for (const adapter of [claude, codex, gemini]) {
      const file = seeded(adapter);
      const first = file.merge(null);
      expect(first).not.toBeNull();
      expect(file.merge(first)).toBeNull();
    }
  });
});

describe("the user's own settings are kept", () => {
  test("in Claude's settings, also for an untrusted folder", () => {
    const own = { theme: "light", numStartups: 7, projects: { [CWD]: { hasTrustDialogAccepted: false, allowedTools: [] } } };
    const merged = JSON.parse(seeded(claude).merge(JSON.stringify(own)) ?? "");
    expect(merged).toEqual({ ...own, hasCompletedOnboarding: true });
  });

  test("in Gemini's list of folders", () => {
    const own = JSON.stringify({ [CWD]: "DO_NOT_TRUST" });
    expect(seeded(gemini).merge(own)).toBeNull();
    expect(JSON.parse(seeded(gemini).merge('{"/x":"TRUST_FOLDER"}') ?? "")).toEqual({ "/x": "TRUST_FOLDER", [CWD]: "TRUST_FOLDER" });
  });

  test("in Codex's configuration, byte for byte", () => {
    const own = '# mine\nmodel = "gpt"\n[projects."/x"]\ntrust_level = "untrusted"';
    const merged = seeded(codex).merge(own) ?? "";
    expect(merged.startsWith(own)).toBe(true);
    expect(merged.slice(own.length)).toBe('\n\n[projects."/home/demo/a \\"b\\" c.d"]\ntrust_level = "trusted"\n');
    expect(seeded(codex).merge(`[projects.'${CWD}']\ntrust_level = "untrusted"\n`)).toBeNull();
  });

  test.each([
    [claude, "{"],
    [claude, "[]"],
    [gemini, "no json"],
    [codex, "projects = {}\n"],
    [codex, 'projects."/x".trust_level = "trusted"\n'],
  ])("in a file of $id that cannot be extended safely", (adapter, text) => {
    expect(() => seeded(adapter).merge(text)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});

function paths(adapter: AgentAdapter, env: Record<string, string>): readonly string[] {
  return (adapter.seed?.({ cwd: CWD, env: { ...ENV, ...env }, trust: true }) ?? []).map(({ path }) => path);
}

function seeded(adapter: AgentAdapter): SeedFile {
  const [file] = adapter.seed?.({ cwd: CWD, env: ENV, trust: true }) ?? [];
  return file ?? expect.unreachable(`${adapter.id} seeds nothing`);
}
