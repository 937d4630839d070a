import { TmpmError } from "@tmpm/core";
import type { AgentAdapter, LaunchPlan, LaunchRequest, Reading } from "./adapter.js";
import type { HookPlan, HookRequest } from "./hooks/hook-plan.js";
import { locate } from "./launch/locate.js";
import { agentText } from "./text/agent-text.js";
import { backslashBefore } from "./text/text-changes.js";
import { protocolUsage } from "./usage/protocol-usage.js";

/** How an agent is started with the Agent Client Protocol on its standard input and output. */
export interface AgentProtocol {
  /** Its protocol programs, looked up in `PATH`: the first existing one is used. */
  readonly programs: readonly [string, ...string[]];
  readonly args: readonly string[];
  /** Variables set unless its user's environment has them. */
  readonly env?: Readonly<Record<string, string>>;
  /** The package to install when none of them exists. */
  readonly hint: string;
  /** The plan that makes it record its models' usage, when it keeps no such record itself. */
  readonly keeper?: (request: HookRequest) => HookPlan | null;
}

/** The same agent for a host of protocol agents: the protocol carries all input, and reports its activity. */
export function protocolAgent(adapter: AgentAdapter, protocol: AgentProtocol): AgentAdapter {
  const [first] = protocol.programs;
  const find = (env: LaunchRequest["env"]) => firstOf(protocol.programs, env);
  const { keeper } = protocol;
  return {
    ...unscreened(adapter),
    ...(keeper === undefined ? {} : { keeper }),
    async detect(env) {
      const path = await find(env);
      return path === null ? { installed: false, hint: protocol.hint } : { installed: true, path, version: null };
    },
    async launch({ env, conversationId, hooks }): Promise<LaunchPlan> {
      const path = await find(env);
      if (path === null) {
        throw new TmpmError("AGENT_NOT_INSTALLED", `${adapter.title} needs ${first} to speak the Agent Client Protocol`, {
          hint: protocol.hint,
        });
      }
      const unsaid = Object.entries(protocol.env ?? {}).filter(([name]) => env[name] === undefined);
      return {
        argv: [path, ...protocol.args],
        env: { ...Object.fromEntries(unsaid), ...hooks?.env },
        conversationId,
        carriesPrompt: false,
      };
    },
  };
}

/** A program launched with the protocol. */
export function protocolProgram(adapter: AgentAdapter): AgentAdapter {
  return {
    ...unscreened(adapter),
    detect: adapter.detect,
    launch: async (request) => ({ ...(await adapter.launch(request)), conversationId: request.conversationId }),
  };
}

/** Parts of an adapter that read a screen or press a key do not apply without a terminal. */
function unscreened({ id, title, seed, mention, text, usage }: AgentAdapter): Omit<AgentAdapter, "detect" | "launch"> {
  return {
    id,
    title,
    seed,
    ...(mention === undefined ? {} : { mention }),
    usage: usage ?? protocolUsage,
    ...(text === undefined ? {} : { text: protocolText }),
    limits: { promptInArgv: 0, queuesWhileWorking: false, alters: null },
    overrides: { fields: ["model", "reasoning_effort"] },
    // Its host sets it, as the mode of its conversation.
    permissionsFlag: "session/set_mode",
    quit: null,
    interrupt: null,
    hooks: null,
    read: () => UNREAD,
    arrived: () => null,
    submitted: () => null,
    approve: () => null,
    deny: () => null,
  };
}

/** Agents also take commands through the protocol. Other text arrives unchanged. */
const protocolText = agentText({
  refuses: () => null,
  guards: [backslashBefore((text) => /^\s*\/[\w:.-]*(?:\s|$)/u.test(text))],
  alters: [],
});

const UNREAD: Reading = {
  state: "unknown",
  source: "protocol",
  confidence: 0,
  evidence: ["its screen is not read"],
  hint: null,
  draft: null,
  decision: null,
};

async function firstOf(programs: readonly string[], env: LaunchRequest["env"]): Promise<string | null> {
  for (const program of programs) {
    const path = await locate(program, { env });
    if (path !== null) return path;
  }
  return null;
}
