import { agentEnv, anyAgentEnv, withoutLogin } from "@tmpm/core";
import { describe, expect, test } from "vitest";

const env = {
  PATH: "/bin",
  HOME: "/home/me",
  ANTHROPIC_API_KEY: "a",
  ANTHROPIC_BASE_URL: "u",
  CLAUDE_CONFIG_DIR: "/c",
  CLAUDE_CODE_SESSION_ID: "parent",
  CLAUDECODE: "1",
  OPENAI_API_KEY: "o",
  GEMINI_API_KEY: "g",
  GROQ_API_KEY: "q",
  https_proxy: "p",
  DATABASE_PASSWORD: "secret",
  MY_SETTING: "mine",
  UNSET: undefined,
};

describe("environment passed from the caller to a session", () => {
  test.each([
    { agent: "claude", names: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR", "https_proxy"] },
    { agent: "codex", names: ["OPENAI_API_KEY", "https_proxy"] },
    { agent: "gemini", names: ["GEMINI_API_KEY", "https_proxy"] },
    {
      agent: "opencode",
      names: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "GEMINI_API_KEY", "GROQ_API_KEY", "OPENAI_API_KEY", "https_proxy"],
    },
    { agent: "shell", names: ["https_proxy"] },
  ])("passes $agent its own variables and nothing else", ({ agent, names }) => {
    expect(Object.keys(agentEnv(agent, env)).sort()).toEqual(names);
  });

  test("passes the caller's login variables, replacing those of an earlier login", () => {
    const login = { SSH_AUTH_SOCK: "/new", DISPLAY: ":1", WAYLAND_DISPLAY: "w", DBUS_SESSION_BUS_ADDRESS: "d", XAUTHORITY: "x" };
    expect(agentEnv("shell", login)).toEqual(login);
    expect(anyAgentEnv(login)).toEqual(login);
    expect(withoutLogin({ ...login, EDITOR: "vi" })).toEqual({ EDITOR: "vi" });
  });

  test("passes variables that the user names exactly", () => {
    const given = agentEnv("shell", { ...env, TMPM_PASS_ENV: "MY_SETTING, CLAUDECODE,x y,DATABASE*" });
    expect(given).toEqual({ https_proxy: "p", MY_SETTING: "mine" });
  });

  test("gives the same result directly and through the set for any agent", () => {
    const wanted = { ...env, TMPM_PASS_ENV: "MY_SETTING" };
    for (const agent of ["claude", "codex", "gemini", "opencode", "shell"])
      expect(agentEnv(agent, anyAgentEnv(wanted))).toEqual(agentEnv(agent, wanted));
    expect(anyAgentEnv(wanted)).not.toHaveProperty("DATABASE_PASSWORD");
  });
});
