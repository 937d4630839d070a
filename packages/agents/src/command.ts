import { basename } from "node:path";
import { TmpmError } from "@tmpm/core";
import type { AgentAdapter, LaunchPlan, LaunchRequest, Observation, Reading } from "./adapter.js";
import { locate } from "./launch/locate.js";
import { protocolProgram } from "./protocol-agent.js";
import { echoArrived, echoSubmitted } from "./screen/echo.js";

const onScreen: AgentAdapter = {
  id: "command",
  title: "Command",
  limits: { promptInArgv: 0, queuesWhileWorking: true, alters: null, beginMs: 0 },
  asksFirst: false,
  quit: null,

  detect: async () => ({ installed: true, path: null, version: null }),

  async launch({ config, env, cwd }: LaunchRequest): Promise<LaunchPlan> {
    const [program, ...rest] = config.argv ?? [];
    if (program === undefined || program === "") {
      throw new TmpmError("INVALID_ARGUMENT", "the agent `command` needs a program to run", { hint: "Give it after `--`." });
    }
    const path = await locate(program, { env, cwd });
    if (path === null) {
      throw new TmpmError("AGENT_NOT_INSTALLED", `${program} was not found or is not executable`, {
        hint: program.includes("/") ? "Check the path and its permissions." : "Install it, or give its absolute path.",
        details: { program },
      });
    }
    return { argv: [path, ...rest], env: {}, conversationId: null, carriesPrompt: false };
  },

  read: readCommand,
  arrived: echoArrived,
  submitted: echoSubmitted,
  interrupt: { keys: ["C-c"] },
  approve: () => null,
  deny: () => null,
  seed: null,
  hooks: null,
};

/**
 * Any program. Its screen is not interpreted: while it runs it is `unknown`, since it may work or wait, and only a program in the
 * terminal's foreground proves work. Text is confirmed where the program echoes.
 */
export const command: AgentAdapter = {
  ...onScreen,
  protocol: protocolProgram(onScreen),
};

function readCommand(screen: Observation): Reading {
  const common = { source: "process", hint: null, draft: null, decision: null } as const;
  if (screen.dead) return { ...common, state: "exited", confidence: 1, evidence: ["the program has ended"] };
  const name = basename(screen.command);
  if (screen.foreground === false) {
    return { ...common, state: "working", confidence: 0.6, evidence: [`it runs ${name} in the foreground`] };
  }
  return {
    ...common,
    state: "unknown",
    confidence: 0.3,
    evidence: [`${name} runs; whether it is working or waiting cannot be determined`],
  };
}
