import { TmpmError } from "@tmpm/core";
import type { AgentAdapter, LaunchPlan, LaunchRequest, Reading } from "./adapter.js";
import type { HookPlan, HookRequest } from "./hooks/hook-plan.js";
import { locate } from "./launch/locate.js";
import { agentText } from "./text/agent-text.js";
import { backslashBefore } from "./text/text-changes.js";
import { spokenUsage } from "./usage/spoken-usage.js";

/** How an agent is started so that it speaks the Agent Client Protocol on its standard input and output. */
export interface AgentProtocol {
  /** The programs that speak it, looked up in `PATH`: the first that is there counts. */
  readonly programs: readonly [string, ...string[]];
  readonly args: readonly string[];
  /** What it is given where its user's environment does not say it. */
  readonly env?: Readonly<Record<string, string>>;
  /** What a person installs where none of them is there. */
  readonly hint: string;
  /** What makes it write down what its models are asked for, where it keeps no record of that itself. */
  readonly keeper?: (request: HookRequest) => HookPlan | null;
}

/** The same agent for a host of protocol agents: the protocol carries all input, and reports what the agent does. */
export function spokenAgent(adapter: AgentAdapter, protocol: AgentProtocol): AgentAdapter {
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

/** A program that speaks the protocol as it is launched. */
export function spokenProgram(adapter: AgentAdapter): AgentAdapter {
  return {
    ...unscreened(adapter),
    detect: adapter.detect,
    launch: async (request) => ({ ...(await adapter.launch(request)), conversationId: request.conversationId }),
  };
}

/** Nothing of an adapter that reads a screen or presses a key holds where there is no terminal. */
function unscreened({ id, title, seed, mention, text, usage }: AgentAdapter): Omit<AgentAdapter, "detect" | "launch"> {
  return {
    id,
    title,
    seed,
    ...(mention === undefined ? {} : { mention }),
    usage: usage ?? spokenUsage,
    ...(text === undefined ? {} : { text: spokenText }),
    limits: { promptInArgv: 0, queuesWhileWorking: false, alters: null },
    overrides: { fields: ["model", "reasoning_effort"] },
    // Its host reports it, as the mode of its conversation.
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

/** Agents take commands through the protocol as well. What else a text holds arrives as it is. */
const spokenText = agentText({
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
