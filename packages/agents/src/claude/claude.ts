import { homedir } from "node:os";
import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import type { AgentAdapter, LaunchPlan, LaunchRequest } from "../adapter.js";
import { withDefaults } from "../files/json-settings.js";
import type { SeedFile, SeedRequest } from "../files/seed-file.js";
import { fitsArgv, PROMPT_IN_ARGV } from "../launch/first-prompt.js";
import { locate } from "../launch/locate.js";
import { permissionOptions } from "../launch/permission-options.js";
import { programVersion } from "../launch/program-version.js";
import { protocolAgent } from "../protocol-agent.js";
import { allowOnce, refuseByEscape } from "../screen/approval.js";
import { composerDelivery } from "../screen/composer-delivery.js";
import { claudeCounts } from "../screen/placeholder-counts.js";
import { hasConversation } from "./conversation.js";
import { claudeHooks } from "./hooks.js";
import { claudeOverrides } from "./overrides.js";
import { readClaude } from "./read.js";
import { claudeText } from "./text.js";
import { claudeTools } from "./tool-server.js";
import { claudeTranscript } from "./transcript.js";
import { claudeUsage } from "./usage.js";

const HINT = "Install it with `npm install -g @anthropic-ai/claude-code` and make sure that `claude` is on PATH.";
const PERMISSIONS = "--permission-mode";

const onScreen: AgentAdapter = {
  id: "claude",
  title: "Claude Code",
  verified: ["2.1.197", "2.1.332"],
  limits: {
    promptInArgv: PROMPT_IN_ARGV,
    queuesWhileWorking: true,
    alters: "a tab becomes four spaces",
    // On a busy machine neither its hook nor its spinner appears at once.
    beginMs: 20_000,
  },
  text: claudeText,
  // SIGHUP ends it in every state and keeps the conversation. No key does: C-c answers a dialog or returns a prompt to the input.
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
  // Before any output this undoes the turn: the prompt is then in the input again.
  interrupt: { keys: ["Escape"] },
  approve: allowOnce,
  deny: refuseByEscape,
  seed: claudeSeed,
  hooks: claudeHooks,
  tools: claudeTools,
  transcript: claudeTranscript,
  usage: claudeUsage,
  overrides: claudeOverrides,
  asksFirst: true,
  permissionsFlag: PERMISSIONS,
  mention: claudeMention,
};

/** Claude Code, written from the screens of version 2.1.197. */
export const claude: AgentAdapter = {
  ...onScreen,
  protocol: protocolAgent(onScreen, {
    programs: ["claude-agent-acp", "claude-code-acp"],
    args: [],
    hint: "Claude Code speaks it through an adapter: install it with `npm install -g @agentclientprotocol/claude-agent-acp`.",
  }),
};

/** Claude rejects resuming a conversation without messages, and beginning an existing one. */
async function conversationOf({ conversationId, env, newId }: LaunchRequest): Promise<{ flag: string; id: string }> {
  if (conversationId === null) return { flag: "--session-id", id: newId() };
  const exists = await hasConversation(conversationId, { env });
  return { flag: exists ? "--resume" : "--session-id", id: conversationId };
}

/** `@` makes Claude read the file itself; quotes keep a path with blanks together. */
function claudeMention(path: string): string {
  return /^[\w./~+-]+$/.test(path) ? `@${path}` : `@"${path}"`;
}

/** Claude asks for a theme on its first start and for trust in every new folder, by the path that it sees. */
function claudeSeed({ cwd, env, trust }: SeedRequest): readonly SeedFile[] {
  const path = join(env.CLAUDE_CONFIG_DIR ?? env.HOME ?? homedir(), ".claude.json");
  const projects = trust ? { projects: { [cwd]: { hasTrustDialogAccepted: true } } } : {};
  return [{ path, merge: (current) => withDefaults(current, { hasCompletedOnboarding: true, theme: "dark", ...projects }) }];
}
