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
import { geminiCounts } from "../screen/placeholder-counts.js";
import { geminiBegun } from "./begun.js";
import { geminiDrawn } from "./drawn.js";
import { asksForTrust, trustedFolders } from "./folder-trust.js";
import { geminiHooks } from "./hooks.js";
import { geminiOverrides } from "./overrides.js";
import { readGemini } from "./read.js";
import { geminiText } from "./text.js";
import { geminiTranscript } from "./transcript.js";
import { geminiUsage } from "./usage.js";

const HINT = "Install it with `npm install -g @google/gemini-cli` and make sure that `gemini` is on PATH.";
const PERMISSIONS = "--approval-mode";

const onScreen: AgentAdapter = {
  id: "gemini",
  title: "Gemini CLI",
  verified: ["0.61.0"],
  limits: { promptInArgv: PROMPT_IN_ARGV, queuesWhileWorking: true, alters: null, firstDialogMs: 2_000, beginMs: 10_000 },
  text: geminiText,
  // SIGHUP does not end it; the end of its whole process tree, which follows, does.
  quit: null,

  async detect(env) {
    const path = await locate("gemini", { env });
    if (path === null) return { installed: false, hint: HINT };
    return { installed: true, path, version: await programVersion(path, { env }) };
  },

  async launch(request): Promise<LaunchPlan> {
    const { env, prompt, config, hooks } = request;
    const path = await locate("gemini", { env });
    if (path === null) throw new TmpmError("AGENT_NOT_INSTALLED", "Gemini CLI is not installed", { hint: HINT });
    const carriesPrompt = fitsArgv(prompt);
    const conversation = await conversationOf(request);
    const model = config.model === undefined ? [] : ["--model", config.model];
    const options = [...conversation.argv, ...model, ...permissionOptions(PERMISSIONS, config), ...(hooks?.argv ?? [])];
    return {
      argv: [path, ...options, ...(carriesPrompt ? [`--prompt-interactive=${prompt}`] : [])],
      env: hooks?.env ?? {},
      conversationId: conversation.id,
      ...(conversation.anew === undefined ? {} : { anew: conversation.anew }),
      carriesPrompt,
    };
  },

  read: readGemini,
  ...composerDelivery({
    title: "Gemini CLI",
    read: readGemini,
    placeholder: /\[Pasted Text: [^\]]*\]/gu,
    counts: geminiCounts,
    drawn: geminiDrawn,
  }),
  clears: true,
  interrupt: { keys: ["Escape"] },
  approve: allowOnce,
  deny: refuseByEscape,
  seed: geminiSeed,
  hooks: geminiHooks,
  transcript: geminiTranscript,
  usage: geminiUsage,
  begunConversations: geminiBegun,
  overrides: geminiOverrides,
  asksFirst: true,
  permissionsFlag: PERMISSIONS,
  mention: geminiMention,
};

/** Gemini CLI, written from the screens of version 0.61.0. */
export const gemini: AgentAdapter = {
  ...onScreen,
  protocol: protocolAgent(onScreen, { programs: ["gemini"], args: ["--acp"], hint: HINT }),
};

interface Conversation {
  readonly argv: readonly string[];
  /** Null if Gemini chooses it. */
  readonly id: string | null;
  readonly anew?: string;
}

/** Gemini rejects resuming a conversation without messages, and beginning one with a record: another one begins. */
async function conversationOf(request: LaunchRequest): Promise<Conversation> {
  const { conversationId, env } = request;
  if (conversationId === null) return newConversation(request, request.newId());
  const kept = await geminiTranscript({ conversationId, env }).read();
  if (kept !== null && kept.prompts > 0) return { argv: ["--resume", conversationId], id: conversationId };
  const begun = await newConversation(request, kept === null ? conversationId : request.newId());
  const why = kept === null ? "Gemini CLI has no record of it" : "it is empty, and Gemini CLI does not resume empty conversations";
  return { ...begun, anew: `conversation ${conversationId} could not be resumed: ${why}` };
}

/**
 * Once the folder's trust is answered, Gemini restarts with the same arguments, and fails for a given id that it has already begun. If it
 * will ask, it chooses the id itself.
 */
async function newConversation({ cwd, env, trusted = false }: LaunchRequest, id: string): Promise<Conversation> {
  return !trusted && (await asksForTrust({ cwd, env })) ? { argv: [], id: null } : { argv: ["--session-id", id], id };
}

/** `@` makes Gemini read the file itself; a backslash escapes special characters of a path. */
function geminiMention(path: string): string {
  return `@${path.replace(/[^\w./~+-]/gu, (letter) => `\\${letter}`)}`;
}

/** Authentication is the user's choice; only trust is seeded, since answering its dialog restarts Gemini CLI. */
function geminiSeed({ cwd, env, trust }: SeedRequest): readonly SeedFile[] {
  if (!trust) return [];
  return [{ path: trustedFolders(env), merge: (current) => withDefaults(current, { [cwd]: "TRUST_FOLDER" }) }];
}
