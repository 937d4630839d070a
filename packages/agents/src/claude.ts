import { TmpmError } from "@tmpm/core";
import type { AgentAdapter, LaunchPlan, LaunchRequest } from "./adapter.js";
import { allowOnce, refuseByEscape } from "./approval.js";
import { hasConversation } from "./claude/conversation.js";
import { claudeMention } from "./claude/mention.js";
import { claudeOverrides } from "./claude/overrides.js";
import { readClaude } from "./claude/read.js";
import { claudeSeed } from "./claude/seed.js";
import { claudeText } from "./claude/text.js";
import { claudeTranscript } from "./claude/transcript.js";
import { claudeUsage } from "./claude/usage.js";
import { composerDelivery } from "./composer-delivery.js";
import { fitsArgv, PROMPT_IN_ARGV } from "./first-prompt.js";
import { claudeHooks } from "./hooks/claude.js";
import { locate } from "./locate.js";
import { permissionOptions } from "./permission-options.js";
import { claudeCounts } from "./placeholder-counts.js";
import { programVersion } from "./program-version.js";
import { spokenAgent } from "./spoken-agent.js";
import { claudeTools } from "./tool-servers/claude.js";

const HINT = "Install it with `npm install -g @anthropic-ai/claude-code` and make sure that `claude` is on PATH.";
const PERMISSIONS = "--permission-mode";

const onScreen: AgentAdapter = {
  id: "claude",
  title: "Claude Code",
  verified: ["2.1.197", "2.1.332"],
  limits: { promptInArgv: PROMPT_IN_ARGV, queuesWhileWorking: true, alters: "a tab becomes four spaces" },
  text: claudeText,
  // SIGHUP ends it in every state and keeps the conversation. No key does: C-c answers a dialog or brings a prompt back into the input.
  quit: null,

  async detect(env) {
    const path = await locate("claude", { env });
    if (path === null) return { installed: false, hint: HINT };
    return { installed: true, path, version: await programVersion(path, { env }) };
  },

  async launch(request): Promise<LaunchPlan> {
    const { env, prompt, config } = request;
    const path = await locate("claude", { env });
    if (path === null) throw new TmpmError("AGENT_NOT_INSTALLED", "Claude Code is not installed", { hint: HINT });
    const conversation = await conversationOf(request);
    const carriesPrompt = fitsArgv(prompt);
    const options = [
      ...(config.model === undefined ? [] : ["--model", config.model]),
      ...(config.reasoning_effort === undefined ? [] : ["--effort", config.reasoning_effort]),
      ...permissionOptions(PERMISSIONS, config),
    ];
    return {
      argv: [
        path,
        conversation.flag,
        conversation.id,
        ...options,
        ...(request.hooks?.argv ?? []),
        ...(carriesPrompt ? ["--", prompt] : []),
      ],
      env: request.hooks?.env ?? {},
      conversationId: conversation.id,
      carriesPrompt,
    };
  },

  read: readClaude,
  ...composerDelivery({ title: "Claude", read: readClaude, placeholder: /\[Pasted text #\d+[^\]]*\]/gu, counts: claudeCounts }),
  clears: true,
  // Before any output this undoes the turn: the prompt then waits in the input again.
  interrupt: { keys: ["Escape"] },
  approve: allowOnce,
  deny: refuseByEscape,
  seed: claudeSeed,
  hooks: claudeHooks,
  tools: claudeTools,
  transcript: claudeTranscript,
  usage: claudeUsage,
  overrides: claudeOverrides,
  permissionsFlag: PERMISSIONS,
  mention: claudeMention,
};

/** Claude Code, written from the screens of version 2.1.197. */
export const claude: AgentAdapter = {
  ...onScreen,
  spoken: spokenAgent(onScreen, {
    programs: ["claude-agent-acp", "claude-code-acp"],
    args: [],
    hint: "Claude Code speaks it through an adapter: install it with `npm install -g @agentclientprotocol/claude-agent-acp`.",
  }),
};

/** Claude refuses to resume a conversation in which nothing was said yet, and to begin one that exists. */
async function conversationOf({ conversationId, env, newId }: LaunchRequest): Promise<{ flag: string; id: string }> {
  if (conversationId === null) return { flag: "--session-id", id: newId() };
  const exists = await hasConversation(conversationId, { env });
  return { flag: exists ? "--resume" : "--session-id", id: conversationId };
}
