import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { eventually, type Fixture } from "./fixture.js";

const PROGRAM = resolve(import.meta.dirname, "../tmpm");

export interface McpClient {
  readonly tools: () => Promise<readonly { readonly name: string; readonly annotations?: Readonly<Record<string, unknown>> | undefined }[]>;
  /** A tool's result; a failure is a result too. */
  call(name: string, input?: Record<string, unknown>): Promise<Called>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Called {
  readonly failed: boolean;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The published client of the protocol, with `tmpm mcp` as a separate process. */
export async function mcpClient(user: Fixture, env: Readonly<Record<string, string>> = {}): Promise<McpClient> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command: PROGRAM, args: ["mcp"], env: { ...user.env, ...env }, cwd: user.dir }));
  return {
    tools: async () => (await client.listTools()).tools,
    async call(name, input = {}) {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: input });
      const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
      return { failed: isError === true, text, data: (structuredContent ?? {}) as Record<string, unknown> };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The environment of a session's program, which gives an MCP server the session's identity. */
export async function sessionEnvironment(user: Fixture, session: string): Promise<Readonly<Record<string, string>>> {
  const file = join(user.dir, `${session}.env`);
  await user.json(["send", session, `env | grep ^TMPM_ > '${file}.part' && mv '${file}.part' '${file}'`]);
  const text = await eventually(() => readFile(file, "utf8").catch(() => null));
  const entries = text.split("\n").flatMap((line): [string, string][] => {
    const [, name = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name === "" ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}
