import type { AgentAnswer, AgentList } from "@tmpm/api";
import { command } from "../command.js";
import { agentFacts, agentTable } from "../render/agents.js";
import { usageError } from "../usage-error.js";

const ACTIONS = ["ls", "show"] as const;

type Result = { readonly kind: "list"; readonly list: AgentList } | { readonly kind: "one"; readonly agent: AgentAnswer };

export const agents = command({
  name: "agents",
  summary: "List the agents that tmpm can start, and show what it knows of one",
  more: `An agent runs in a terminal (tmux, pty), is spoken with over a protocol (sdk), or both. VERIFIED says whether the installed version is one
that tmpm was tried with. docs/agents.md says how to add an agent of your own.

  tmpm agents
  tmpm agents show codex
  tmpm agents --json | jq '.agents[] | select(.version_verified == false)'`,
  args: {
    action: { takes: "optional", label: "ACTION", summary: "ls (when not given) or show", choices: ACTIONS },
    agent: { takes: "optional", label: "AGENT", summary: "show: its id" },
  },
  options: {},
  async run({ action = "ls", agent }, context): Promise<Result> {
    if (action === "ls") {
      if (agent !== undefined) throw usageError("ls takes no agent", `\`tmpm agents show ${agent}\` shows one.`);
      return { kind: "list", list: await context.client().agents() };
    }
    if (agent === undefined) throw usageError("no agent is named", "`tmpm agents` lists them.");
    return { kind: "one", agent: await context.client().agent({ agent }) };
  },
  render: (result, view) => (result.kind === "list" ? agentTable(result.list, view) : agentFacts(result.agent, view)),
  json: (result) => JSON.stringify(result.kind === "list" ? result.list : result.agent),
});
