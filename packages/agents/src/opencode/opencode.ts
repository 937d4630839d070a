import { TmpmError } from "@tmpm/core";
import type { AgentAdapter, LaunchPlan } from "../adapter.js";
import { fitsArgv, PROMPT_IN_ARGV } from "../launch/first-prompt.js";
import { locate } from "../launch/locate.js";
import { programVersion } from "../launch/program-version.js";
import { protocolAgent } from "../protocol-agent.js";
import { allowOnce, refuseByEscape } from "../screen/approval.js";
import { composerDelivery } from "../screen/composer-delivery.js";
import { opencodeCounts } from "../screen/placeholder-counts.js";
import { CONFIG_CONTENT, opencodeHooks, opencodeKeeper } from "./hooks.js";
import { opencodeModel, opencodeOverrides, withAgentOptions } from "./overrides.js";
import { readOpencode } from "./read.js";
import { opencodeText } from "./text.js";
import { opencodeTools } from "./tool-server.js";
import { opencodeTranscript } from "./transcript.js";
import { opencodeUsage } from "./usage.js";

const HINT = "Install it with `npm install -g opencode-ai` and make sure that `opencode` is on PATH.";

const onScreen: AgentAdapter = {
  id: "opencode",
  title: "OpenCode",
  verified: ["1.18.33"],
  limits: {
    promptInArgv: PROMPT_IN_ARGV,
    queuesWhileWorking: true,
    alters: "a space is appended to a paste of several lines",
    // The first turn loads the provider, with an idle input on the screen.
    beginMs: 30_000,
  },
  text: opencodeText,
  // SIGHUP does not end it; the end of its whole process tree, which follows, does.
  quit: null,

  async detect(env) {
    const path = await locate("opencode", { env });
    if (path === null) return { installed: false, hint: HINT };
    return { installed: true, path, version: await programVersion(path, { env }) };
  },

  async launch({ env, prompt, config, conversationId, hooks }): Promise<LaunchPlan> {
    const path = await locate("opencode", { env });
    if (path === null) throw new TmpmError("AGENT_NOT_INSTALLED", "OpenCode is not installed", { hint: HINT });
    // When it resumes a conversation, OpenCode ignores a prompt.
    const carriesPrompt = conversationId === null && fitsArgv(prompt);
    const content = withAgentOptions(hooks?.env[CONFIG_CONTENT] ?? env[CONFIG_CONTENT], config);
    const resume = conversationId === null ? [] : ["--session", conversationId];
    return {
      argv: [path, ...resume, ...opencodeModel(config), ...(hooks?.argv ?? []), ...(carriesPrompt ? [`--prompt=${prompt}`] : [])],
      env: { ...hooks?.env, ...(content === undefined ? {} : { [CONFIG_CONTENT]: content }) },
      conversationId,
      carriesPrompt,
    };
  },

  read: readOpencode,
  ...composerDelivery({ title: "OpenCode", read: readOpencode, placeholder: /\[Pasted ~\d+ lines\]/gu, counts: opencodeCounts }),
  clears: true,
  // The first press only offers to interrupt.
  interrupt: { keys: ["Escape", "Escape"] },
  approve: allowOnce,
  deny: refuseByEscape,
  seed: null,
  transcript: opencodeTranscript,
  usage: opencodeUsage,
  hooks: opencodeHooks,
  tools: opencodeTools,
  overrides: opencodeOverrides,
};

/** OpenCode, written from the screens of version 1.18.33. */
export const opencode: AgentAdapter = {
  ...onScreen,
  protocol: protocolAgent(onScreen, { programs: ["opencode"], args: ["acp"], hint: HINT, keeper: opencodeKeeper }),
};
