import {
  type ClientContext,
  type InitializeResponse,
  type McpServer,
  methods,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk";
import type { ConversationEvent } from "../conversation/event.js";
import type { AgentSettings } from "../conversation/settings.js";
import { errorWords } from "./error-words.js";
import { logIn } from "./log-in.js";
import { NoConversation } from "./no-conversation.js";
import { settingsOf } from "./settings-of.js";

/**
 * Variables of the agent's environment by which the server knows its session. An agent may start it with a smaller environment than its
 * own.
 */
const NEEDED = /^TMPM_(?:SESSION_(?:ID|NAME|TOKEN)|SOCKET)$/;

/** The server of tmpm's tools in the format of the Agent Client Protocol, whose agents all start it over stdio; none without a program. */
function toolServers(tools: readonly string[] | undefined, env: Readonly<Record<string, string>>): McpServer[] {
  const [command, ...args] = tools ?? [];
  if (command === undefined) return [];
  const variables = Object.entries(env).flatMap(([name, value]) => (NEEDED.test(name) ? [{ name, value }] : []));
  return [{ name: "tmpm", command, args, env: variables }];
}

export interface ConversationOptions {
  /** An absolute directory. */
  readonly cwd: string;
  /** The conversation to resume; null for a new one. */
  readonly conversationId: string | null;
  /** The environment of the agent: keys in it log in without a user. */
  readonly env: Readonly<Record<string, string>>;
  /** The program and arguments of an MCP server for the agent. */
  readonly tools?: readonly string[] | undefined;
  /** The version of tmpm, for the agent. */
  readonly version: string;
  /** Extensions of the newest answer beyond the stable protocol. */
  readonly models: () => unknown;
  readonly report: (event: ConversationEvent) => void;
}

export interface OpenedConversation {
  readonly conversationId: string;
  readonly agent: { readonly name: string; readonly version: string } | null;
  readonly settings: AgentSettings;
}

const AUTH_REQUIRED = -32000;

/** Offers the agent no files or terminals of the client. @throws NoConversation, and the connection's errors */
export async function openConversation(agent: ClientContext, beginning: ConversationOptions): Promise<OpenedConversation> {
  const hello = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "tmpm", version: beginning.version },
  });
  if (hello.protocolVersion !== PROTOCOL_VERSION) {
    throw new NoConversation(
      `the agent speaks version ${hello.protocolVersion} of the Agent Client Protocol, and tmpm speaks ${PROTOCOL_VERSION}`,
      "Install another version of the agent.",
    );
  }
  const { name, version } = hello.agentInfo ?? { name: "", version: "" };
  const about = name === "" ? null : { name, version };
  return { agent: about, ...(await loggedIn(agent, { hello, beginning })) };
}

interface Opening {
  readonly hello: InitializeResponse;
  readonly beginning: ConversationOptions;
}

type Session = Omit<OpenedConversation, "agent">;

/** The agent reports only on a request for a conversation that it requires a login first. */
async function loggedIn(agent: ClientContext, opening: Opening): Promise<Session> {
  try {
    return await converse(agent, opening);
  } catch (error) {
    if (!requiresLogin(error)) throw error;
    const { hello, beginning } = opening;
    const done = await logIn(agent, { ways: hello.authMethods ?? [], env: beginning.env, why: errorWords(error) });
    beginning.report({ type: "noted", text: done });
    return converse(agent, opening);
  }
}

async function converse(agent: ClientContext, opening: Opening): Promise<Session> {
  return (await goOn(agent, opening)) ?? (await begin(agent, opening));
}

function requiresLogin(error: unknown): error is RequestError {
  return error instanceof RequestError && error.code === AUTH_REQUIRED;
}

/** Null if there is nothing to resume, or the agent cannot; then a new conversation begins, and reports that. */
async function goOn(agent: ClientContext, { hello, beginning }: Opening): Promise<Session | null> {
  const { conversationId, cwd, env, tools, report } = beginning;
  if (conversationId === null) return null;
  const { loadSession, sessionCapabilities } = hello.agentCapabilities ?? {};
  const request = { sessionId: conversationId, cwd, mcpServers: toolServers(tools, env) };
  try {
    if (loadSession === true) return session(conversationId, await agent.request(methods.agent.session.load, request), beginning);
    if (sessionCapabilities?.resume) return session(conversationId, await agent.request(methods.agent.session.resume, request), beginning);
    report({ type: "noted", text: "the agent cannot resume a conversation, so a new one begins" });
  } catch (error) {
    if (!(error instanceof RequestError) || requiresLogin(error)) throw error;
    report({ type: "noted", text: `the agent did not resume conversation ${conversationId}, so a new one begins: ${errorWords(error)}` });
  }
  return null;
}

async function begin(agent: ClientContext, { beginning }: Opening): Promise<Session> {
  const { cwd, env, tools } = beginning;
  const made = await agent.request(methods.agent.session.new, { cwd, mcpServers: toolServers(tools, env) });
  return session(made.sessionId, made, beginning);
}

type Answered = Omit<Parameters<typeof settingsOf>[0], "models">;

function session(conversationId: string, answer: Answered, { models }: ConversationOptions): Session {
  return { conversationId, settings: settingsOf({ modes: answer.modes, configOptions: answer.configOptions, models: models() }) };
}
