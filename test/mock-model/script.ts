import { createHash } from "node:crypto";
import type { Conversation, Reply, Tool, ToolCall } from "./conversation.js";
import { object, text } from "./json.js";
import type { Limit } from "./limits.js";
import { isUsersOwn, ownWords } from "./said.js";
import { sample } from "./sample.js";

/**
 * A prompt's instruction to the mock model, as JSON on a separate line: `mock: {"say": "...", "run": "...", "waitMs": 1000}`. With `run` or
 * `ask` the agent's tool is called once, with `calls` the named tools in order, and the answer after the last result is `say`, else `done`.
 */
export interface Script {
  readonly say?: string;
  readonly run?: string;
  readonly ask?: { readonly question: string; readonly options: readonly string[] };
  /** Tools of the tmpm server, without the prefix that an agent gives their names. */
  readonly calls?: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[];
  readonly waitMs?: number;
  readonly dripMs?: number;
  readonly status?: number;
  /** Number of failures before it is answered; without it, it always fails. */
  readonly times?: number;
  readonly limit?: Limit;
  readonly hang?: boolean;
}

export function prompt(script: Script): string {
  return `mock: ${JSON.stringify(script)}`;
}

/** Without a script the model answers with the digest of the user's text, by which a test can verify that it arrived exactly. */
export function replyTo(conversation: Conversation): Reply {
  if (conversation.answerSchema !== null) return plain(JSON.stringify(sample(conversation.answerSchema)));
  const last = lastWords(conversation.userTexts);
  const script = conversation.tools.length === 0 ? null : scriptIn(last);
  if (script === null) return plain(digest(last));
  const { say = "done", waitMs = 0, dripMs = 0, status = 200, times = Number.POSITIVE_INFINITY, limit = null, hang = false } = script;
  const after = conversation.results.length > 0;
  const call = toolCall(script, conversation);
  const text = call === null ? say : "Let me see.";
  return { status, times, limit, text, call, waitMs: after ? 0 : waitMs, dripMs: after ? 0 : dripMs, hang };
}

export function digest(words: string): string {
  return `sha256 ${createHash("sha256").update(words).digest("hex").slice(0, 16)} of ${Buffer.byteLength(words)} bytes`;
}

function plain(words: string): Reply {
  return { status: 200, times: 0, limit: null, text: words, call: null, waitMs: 0, dripMs: 0, hang: false };
}

function lastWords(userTexts: readonly string[]): string {
  return ownWords(userTexts.findLast(isUsersOwn) ?? "");
}

function scriptIn(words: string): Script | null {
  const line = /^\s*mock: (\{.*\})\s*$/mu.exec(words)?.[1];
  if (line === undefined) return null;
  return JSON.parse(line) as Script;
}

const SHELLS = ["Bash", "bash", "exec_command", "shell_command", "run_shell_command", "shell"];
const ASKERS = ["AskUserQuestion", "request_user_input", "ask_user", "question"];

function toolCall({ run, ask, calls = [] }: Script, { tools, results }: Conversation): ToolCall | null {
  const next = calls[results.filter((result) => !AGAIN.test(result)).length];
  if (next !== undefined) return searchOf(calls, tools) ?? callOf(tools, { names: namesOf(next.tool, tools), args: () => next.args });
  if (results.length > 0) return null;
  if (run !== undefined) return callOf(tools, { names: SHELLS, args: (tool) => shellArgs(tool, run) });
  if (ask !== undefined) return callOf(tools, { names: ASKERS, args: (tool) => questionArgs(tool, ask) });
  return null;
}

interface Wanted {
  readonly names: readonly string[];
  readonly args: (tool: Tool) => Readonly<Record<string, unknown>>;
}

function callOf(tools: readonly Tool[], { names, args }: Wanted): ToolCall {
  const tool = names.flatMap((name) => tools.find((each) => each.name === name) ?? []).at(0);
  if (tool === undefined) throw new Error(`the agent offers none of ${names.join(", ")}, but ${tools.map(({ name }) => name).join(", ")}`);
  return { name: tool.name, namespace: tool.namespace, args: args(tool) };
}

/** Results after which the same call follows: of a search for tools, and of a wait that timed out. */
const AGAIN = /"tool_reference"|"status\\*":\s*\\*"pending/u;

/** Claude Code offers a server's tools only after the model has searched for them. */
function searchOf(calls: NonNullable<Script["calls"]>, tools: readonly Tool[]): ToolCall | null {
  const hidden = calls.map(({ tool }) => tool).filter((tool) => !tools.some(({ name }) => namesOf(tool, tools).includes(name)));
  if (hidden.length === 0 || !tools.some(({ name }) => name === "ToolSearch")) return null;
  return callOf(tools, {
    names: ["ToolSearch"],
    args: () => ({ query: `select:${hidden.map((tool) => `mcp__tmpm__${tool}`).join(",")}`, max_results: hidden.length }),
  });
}

/** Agents put the server's name before its tools' names. */
function namesOf(tool: string, tools: readonly Tool[]): readonly string[] {
  return [tool, ...tools.map(({ name }) => name).filter((name) => name.endsWith(`_${tool}`))];
}

/** If the sandbox is optional, running outside it is requested, so that the agent asks its user. */
function shellArgs(tool: Tool, command: string): Readonly<Record<string, unknown>> {
  const properties = object(object(tool.schema).properties);
  const name = ["command", "cmd"].find((each) => each in properties) ?? "command";
  const asking =
    "sandbox_permissions" in properties ? { sandbox_permissions: "require_escalated", justification: "Is this command all right?" } : {};
  const described = "description" in properties ? { description: "Run a command" } : {};
  return { ...object(sample(tool.schema)), ...described, ...asking, [name]: command };
}

function questionArgs(tool: Tool, { question, options }: NonNullable<Script["ask"]>): Readonly<Record<string, unknown>> {
  const properties = object(object(tool.schema).properties);
  const whole = {
    id: "q1",
    header: "Mock",
    question,
    type: "choice",
    multiSelect: false,
    multiple: false,
    options: options.map((label) => ({ label, description: `Take ${label}` })),
  };
  if (!("questions" in properties)) return { question, options };
  const known = Object.keys(object(object(object(properties.questions).items).properties));
  return { questions: [Object.fromEntries(Object.entries(whole).filter(([name]) => known.length === 0 || known.includes(name)))] };
}

export function pieces(words: string, { dripMs }: Pick<Reply, "dripMs">): readonly string[] {
  const size = dripMs === 0 ? 200 : Math.max(1, Math.ceil(words.length / Math.max(1, dripMs / 250)));
  return words.match(new RegExp(`.{1,${size}}`, "gsu")) ?? [text(words)];
}
