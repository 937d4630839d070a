import { TmpmError } from "@tmpm/core";
import type { AgentAdapter, LaunchPlan } from "./adapter.js";
import { allowOnce, refuseByEscape } from "./approval.js";
import { composerDelivery } from "./composer-delivery.js";
import { fitsArgv, PROMPT_IN_ARGV } from "./first-prompt.js";
import { readGemini } from "./gemini/read.js";
import { geminiSeed } from "./gemini/seed.js";
import { geminiTranscript } from "./gemini/transcript.js";
import { geminiHooks } from "./hooks/gemini.js";
import { locate } from "./locate.js";
import { programVersion } from "./program-version.js";

const HINT = "Install it with `npm install -g @google/gemini-cli` and make sure that `gemini` is on PATH.";

/** Gemini CLI, written from the screens of version 0.61.0. */
export const gemini: AgentAdapter = {
  id: "gemini",
  title: "Gemini CLI",
  limits: { promptInArgv: PROMPT_IN_ARGV, queuesWhileWorking: true, alters: null },
  // SIGHUP does not end it; the end of its whole process tree, which follows, does.
  quit: null,

  async detect(env) {
    const path = await locate("gemini", { env });
    if (path === null) return { installed: false, hint: HINT };
    return { installed: true, path, version: await programVersion(path, { env }) };
  },

  async launch({ env, prompt, config, conversationId, hooks, newId }): Promise<LaunchPlan> {
    const path = await locate("gemini", { env });
    if (path === null) throw new TmpmError("AGENT_NOT_INSTALLED", "Gemini CLI is not installed", { hint: HINT });
    const carriesPrompt = fitsArgv(prompt);
    const id = conversationId ?? newId();
    const model = config.model === undefined ? [] : ["--model", config.model];
    const options = [conversationId === null ? "--session-id" : "--resume", id, ...model, ...(hooks?.argv ?? [])];
    return {
      argv: [path, ...options, ...(carriesPrompt ? [`--prompt-interactive=${prompt}`] : [])],
      env: hooks?.env ?? {},
      conversationId: id,
      carriesPrompt,
    };
  },

  read: readGemini,
  ...composerDelivery({ title: "Gemini CLI", read: readGemini, placeholder: /\[Pasted Text: [^\]]*\]/gu }),
  interrupt: { keys: ["Escape"] },
  approve: allowOnce,
  deny: refuseByEscape,
  seed: geminiSeed,
  hooks: geminiHooks,
  transcript: geminiTranscript,
};
