import type { AgentAnswer, AgentList, ProfileList } from "@tmpm/api";
import { command } from "../command.js";
import { NO_VALUES } from "../completion/completions.js";
import { hostArgument } from "../input/host-argument.js";
import { usageError } from "../parse/usage-error.js";
import { answerOf, FLAG, listOf, OR_NULL, objectOf, TEXT } from "../printed.js";
import { agentFacts, agentTable, profileTable, trialFacts } from "../render/agents.js";
import { type TryResult, tryAgent } from "../try-agent/try-agent.js";

const ACTIONS = ["ls", "show", "try", "profiles"] as const;

const PROMPT = 'Answer with the one word "ready" and do nothing else.';
const STEP_SECONDS = 60;
const FAILED = 1;

type Result =
  | { readonly kind: "list"; readonly list: AgentList }
  | { readonly kind: "profiles"; readonly profiles: ProfileList }
  | { readonly kind: "one"; readonly agent: AgentAnswer }
  | { readonly kind: "tried"; readonly tried: TryResult };

const TRIAL = objectOf({
  agent: TEXT,
  version: { type: OR_NULL },
  verified: { type: ["boolean", "null"] },
  host: TEXT,
  steps: listOf(objectOf({ step: TEXT, ok: FLAG, seen: TEXT })),
  states: listOf(TEXT),
  folder: { type: OR_NULL },
  screens: { type: "integer" },
  ok: FLAG,
});

export const agents = command({
  name: "agents",
  group: "Set up tmpm",
  summary: "List the agents that tmpm can start, describe one, try one, or list profiles",
  more: `An agent runs in a terminal (tmux, pty), over a protocol (sdk), or both. VERIFIED shows whether tmpm was tested with the
installed version. try starts the agent in a temporary directory, sends it a prompt (through your account), records its screens, prints
the states it read, and removes the session; the exit status is 1 unless every step worked. docs/adding-an-agent.md explains how to add your own agent.
profiles lists those that \`tmpm new --profile\` can use; docs/config.md explains how to add one.

  tmpm agents
  tmpm agents show codex
  tmpm agents profiles
  tmpm agents try qwen --host sdk
  tmpm agents try pair --out ~/recordings    the screens, as files for a test
  tmpm agents --json | jq '.agents[] | select(.version_verified == false)'`,
  args: {
    action: { takes: "optional", label: "ACTION", summary: "ls (default), show, try or profiles", choices: ACTIONS },
    agent: {
      takes: "optional",
      label: "AGENT",
      summary: "show, try: its id",
      completes: ([action]) => (action === "show" || action === "try" ? { kind: "agents" } : NO_VALUES),
    },
  },
  options: {
    host: { takes: "text", label: "H", summary: "try: tmux, pty or sdk (default: a terminal)" },
    prompt: { takes: "text", label: "TEXT", summary: "try: another prompt" },
    out: { takes: "text", label: "DIR", summary: "try: folder for the screens (default: a temporary one)" },
    timeout: { takes: "seconds", label: "SECONDS", summary: `try: time limit of each step (default: ${STEP_SECONDS})` },
    trust: { takes: "flag", summary: "try: answer the agent's startup questions in advance, in its own configuration" },
  },
  printed: { forms: [answerOf("agents"), answerOf("agent"), answerOf("profiles"), TRIAL] },
  async run({ action = "ls", agent, ...options }, context): Promise<Result> {
    if (action !== "try" && Object.values(options).some((given) => given !== undefined && given !== false))
      throw usageError(`${action} does not accept options`, "See `tmpm agents --help`.");
    if (action === "ls") {
      if (agent !== undefined) throw usageError("ls does not accept an agent", `\`tmpm agents show ${agent}\` shows one.`);
      return { kind: "list", list: await context.client().agents() };
    }
    if (action === "profiles") {
      if (agent !== undefined) throw usageError("profiles does not accept an agent", "`tmpm agents profiles` lists all.");
      return { kind: "profiles", profiles: await context.client().profiles() };
    }
    if (agent === undefined) throw usageError("the agent is missing", "`tmpm agents` lists them.");
    if (action === "show") return { kind: "one", agent: await context.client().agent({ agent }) };
    const { host, prompt = PROMPT, out, timeout = STEP_SECONDS, trust } = options;
    const stepMs = timeout * 1000;
    return { kind: "tried", tried: await tryAgent(context, { agent, prompt, host: hostArgument(host), out, stepMs, trust }) };
  },
  render(result, view) {
    switch (result.kind) {
      case "list":
        return agentTable(result.list, view);
      case "profiles":
        return profileTable(result.profiles, view);
      case "one":
        return agentFacts(result.agent, view);
      case "tried":
        return trialFacts(result.tried, view);
    }
  },
  json(result) {
    switch (result.kind) {
      case "list":
        return JSON.stringify(result.list);
      case "profiles":
        return JSON.stringify(result.profiles);
      case "one":
        return JSON.stringify(result.agent);
      case "tried":
        return JSON.stringify(result.tried);
    }
  },
  notes: (result) =>
    result.kind === "profiles" && result.profiles.profiles.length === 0
      ? ["no profiles; add one below `profiles` with `tmpm config edit`, as docs/config.md shows"]
      : [],
  exit: (result) => (result.kind === "tried" && !result.tried.ok ? FAILED : 0),
});
