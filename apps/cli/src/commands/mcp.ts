import { client } from "@tmpm/api/client";
import { keepCompiledCode } from "@tmpm/api/compiled-code";
import { currentSession, currentTransport } from "@tmpm/api/local";
import { command } from "../command.js";
import { newDefaults } from "../input/new-defaults.js";

export const mcp = command({
  name: "mcp",
  group: "Set up tmpm",
  summary: "Serve sessions as tools for agents (Model Context Protocol)",
  more: `Speaks MCP on standard input and output until the client closes its end. In a session it acts as that session, with the rights of its grant;
elsewhere it only reads. It starts no daemon, and survives restarts of the daemon. See docs/mcp.md.

  tmpm mcp   what a client runs, as after "claude mcp add sessions -- tmpm mcp"`,
  args: {},
  options: {},
  printed: "nothing",
  async run(_input, context): Promise<Record<never, never>> {
    const env = context.settled();
    const session = currentSession(env);
    const transport = currentTransport(session === null ? env : { ...env, TMPM_AS_SESSION: "1" });
    keepCompiledCode(env);
    const { serveOverStdio } = await import("../serve-mcp.js");
    const profile = async (name: string) => (await newDefaults(context.env, name)).profile;
    await serveOverStdio({ client: client({ transport }), version: context.version, self: session?.id ?? null, profile });
    return {};
  },
  render: () => "",
});
