import { expect, test } from "vitest";
import { claude, codex, gemini, opencode } from "../src/index.js";
import { CONFIG_CONTENT } from "../src/opencode/hooks.js";

const request = { command: ["/bin/sh", "/home/me/with space/tools"], folder: "/private", env: { TMPM_SESSION_TOKEN: "secret" } } as const;

test("adds the server for one session in each agent's own way, with no token written or shown to other users", () => {
  const plans = [claude, codex, opencode].map((agent) => agent.tools?.(request));
  expect(JSON.stringify(plans)).not.toContain('"secret"');
  const [ofClaude, ofCodex, ofOpencode] = plans;
  expect(ofClaude?.argv).toEqual(["--mcp-config=/private/claude-mcp.json"]);
  expect(JSON.parse(ofClaude?.files[0]?.text ?? "")).toMatchObject({
    mcpServers: { tmpm: { command: "/bin/sh", args: ["/home/me/with space/tools"], env: { TMPM_SESSION_TOKEN: "${TMPM_SESSION_TOKEN}" } } },
  });
  expect(ofCodex?.argv).toEqual([
    "-c",
    'mcp_servers.tmpm.command="/bin/sh"',
    "-c",
    'mcp_servers.tmpm.args=["/home/me/with space/tools"]',
    "-c",
    'mcp_servers.tmpm.env_vars=["TMPM_SESSION_ID","TMPM_SESSION_NAME","TMPM_SESSION_TOKEN","TMPM_SOCKET"]',
  ]);
  expect(JSON.parse(ofOpencode?.env[CONFIG_CONTENT] ?? "")).toEqual({
    mcp: { tmpm: { type: "local", command: ["/bin/sh", "/home/me/with space/tools"], enabled: true } },
  });
  expect(gemini.tools).toBeUndefined();
});

test("OpenCode keeps the existing configuration, and an unreadable one is left unchanged", () => {
  const before = JSON.stringify({ plugin: ["a"], mcp: { mine: { type: "remote", url: "https://x" } } });
  const plan = opencode.tools?.({ ...request, env: { [CONFIG_CONTENT]: before } });
  expect(JSON.parse(plan?.env[CONFIG_CONTENT] ?? "")).toMatchObject({
    plugin: ["a"],
    mcp: { mine: { type: "remote" }, tmpm: { type: "local" } },
  });
  expect(opencode.tools?.({ ...request, env: { [CONFIG_CONTENT]: "{ // mine" } })).toBe(null);
});
