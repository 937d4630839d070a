import { TmpmError } from "@tmpm/core";
import type { AgentAdapter, LaunchPlan } from "../adapter.js";
import { fitsArgv, PROMPT_IN_ARGV } from "../launch/first-prompt.js";
import { locate } from "../launch/locate.js";
import { permissionOptions } from "../launch/permission-options.js";
import { programVersion } from "../launch/program-version.js";
import { protocolAgent } from "../protocol-agent.js";
import { allowOnce, refuseByEscape } from "../screen/approval.js";
import { composerDelivery } from "../screen/composer-delivery.js";
import { codexCounts } from "../screen/placeholder-counts.js";
import { codexHooks } from "./hooks.js";
import { codexOptions, codexOverrides } from "./overrides.js";
import { readCodex } from "./read.js";
import { codexSeed } from "./seed.js";
import { codexText } from "./text.js";
import { codexTools } from "./tool-server.js";
import { codexTranscript } from "./transcript.js";
import { codexUsage } from "./usage.js";

const HINT = "Install it with `npm install -g @openai/codex` and make sure that `codex` is on PATH.";
const PERMISSIONS = "--sandbox";

const onScreen: AgentAdapter = {
  id: "codex",
  title: "Codex",
  verified: ["0.171.0"],
  // A message sent while it works interrupts the running turn, so none is sent.
  // On a busy machine neither its hook nor a sign of work appears at once.
  limits: { promptInArgv: PROMPT_IN_ARGV, queuesWhileWorking: false, alters: null, beginMs: 20_000 },
  text: codexText,
  // SIGHUP ends it in every state and keeps the conversation.
  quit: null,

  async detect(env) {
    const path = await locate("codex", { env });
    if (path === null) return { installed: false, hint: HINT };
    return { installed: true, path, version: await programVersion(path, { env }) };
  },

  async launch({ env, prompt, config, conversationId, hooks }): Promise<LaunchPlan> {
    const path = await locate("codex", { env });
    if (path === null) throw new TmpmError("AGENT_NOT_INSTALLED", "Codex is not installed", { hint: HINT });
    const carriesPrompt = fitsArgv(prompt);
    const options = [...codexOptions(config), ...permissionOptions(PERMISSIONS, config), ...(hooks?.argv ?? [])];
    const positional = [...(conversationId === null ? [] : [conversationId]), ...(carriesPrompt ? [prompt] : [])];
    return {
      argv: [path, ...(conversationId === null ? [] : ["resume"]), ...options, ...(positional.length === 0 ? [] : ["--", ...positional])],
      env: hooks?.env ?? {},
      conversationId,
      carriesPrompt,
    };
  },

  read: readCodex,
  ...composerDelivery({ title: "Codex", read: readCodex, placeholder: /\[Pasted Content \d+ chars\]/gu, counts: codexCounts }),
  clears: true,
  interrupt: { keys: ["Escape"] },
  approve: allowOnce,
  deny: refuseByEscape,
  seed: codexSeed,
  hooks: codexHooks,
  tools: codexTools,
  transcript: codexTranscript,
  usage: codexUsage,
  overrides: codexOverrides,
  asksFirst: true,
  permissionsFlag: PERMISSIONS,
};

/** Codex CLI, written from the screens of version 0.171.0. */
export const codex: AgentAdapter = {
  ...onScreen,
  protocol: protocolAgent(onScreen, {
    programs: ["codex-acp"],
    args: [],
    // By default (`agent`) a model allows what Codex in a terminal asks its user.
    env: { INITIAL_AGENT_MODE: "workspace-write" },
    hint: "Codex speaks it through an adapter: install it with `npm install -g @agentclientprotocol/codex-acp`.",
  }),
};
