import { OVERRIDE_FIELDS, type OverrideField, TmpmError } from "@tmpm/core";
import type { AgentAdapter, LaunchPlan, LaunchRequest } from "../adapter.js";
import { fitsArgv, PROMPT_IN_ARGV } from "../launch/first-prompt.js";
import { locate } from "../launch/locate.js";
import { permissionOptions } from "../launch/permission-options.js";
import { programVersion } from "../launch/program-version.js";
import { protocolAgent } from "../protocol-agent.js";
import { composerDelivery } from "../screen/composer-delivery.js";
import { echoArrived, echoSubmitted } from "../screen/echo.js";
import { AgentConfig } from "./agent-config.js";
import { configuredHooks } from "./hooks.js";
import { configuredReader } from "./read.js";
import { configuredText } from "./text.js";
import { configuredTranscript } from "./transcript.js";

/** An adapter from a user's own description of an agent, validated here. @throws INVALID_ARGUMENT, naming the wrong fields */
export function agentFromConfig(document: unknown): AgentAdapter {
  const parsed = AgentConfig.safeParse(document);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "document"}: ${message}`);
    throw new TmpmError("INVALID_ARGUMENT", `not the description of an agent: ${faults.join("; ")}`, { details: { faults } });
  }
  return adapterOf(parsed.data);
}

function adapterOf(config: AgentConfig): AgentAdapter {
  const [program] = config.argv;
  const title = config.title ?? config.id;
  const hint = installHint(config, program);
  const read = configuredReader(config);
  const onScreen: AgentAdapter = {
    id: config.id,
    title,
    verified: config.verified,
    limits: {
      promptInArgv: config.prompt_flag === null ? 0 : PROMPT_IN_ARGV,
      queuesWhileWorking: config.queues_while_working,
      alters: config.alters,
    },
    quit: config.quit,
    async detect(env) {
      const path = await locate(program, { env });
      return path === null ? { installed: false, hint } : { installed: true, path, version: await programVersion(path, { env }) };
    },
    async launch(request) {
      const path = await locate(program, { env: request.env, cwd: request.cwd });
      if (path === null) throw new TmpmError("AGENT_NOT_INSTALLED", `${title} is not installed`, { hint });
      return planOf(config, { path, request });
    },
    read,
    ...deliveryOf(config, { title, read }),
    interrupt: { keys: config.interrupt },
    approve: ({ state }) => (state === "awaiting_approval" ? config.approve : null),
    deny: ({ state }) => (state === "awaiting_approval" ? config.deny : null),
    ...(config.text === null ? {} : { text: configuredText(config.text, { title }) }),
    seed: null,
    hooks: config.hooks === null ? null : configuredHooks(config.hooks, { title }),
    ...(config.transcript === null ? {} : { transcript: configuredTranscript(config.transcript) }),
    overrides: { fields: flagsOf(config).map(({ field }) => field) },
    ...(config.asks_first === null ? {} : { asksFirst: config.asks_first }),
    ...(config.permissions_flag === null ? {} : { permissionsFlag: config.permissions_flag }),
    mention: (path) => config.mention.replaceAll("{path}", () => path),
  };
  if (config.protocol === null) return onScreen;
  const [speaker, ...args] = config.protocol;
  return { ...onScreen, protocol: protocolAgent(onScreen, { programs: [speaker], args, hint: installHint(config, speaker) }) };
}

function installHint({ install }: AgentConfig, program: string): string {
  const how = install === undefined ? `Install ${program}` : `Install it with \`${install}\``;
  return `${how} and make sure that \`${program}\` is on PATH.`;
}

function planOf(config: AgentConfig, { path, request }: { readonly path: string; readonly request: LaunchRequest }): LaunchPlan {
  const { prompt, conversationId, newId, hooks } = request;
  const resumed = config.resume === null ? null : conversationId;
  const id = resumed ?? (config.begin === null ? null : newId());
  const conversation = resumed === null ? config.begin : config.resume;
  const carriesPrompt = config.prompt_flag !== null && fitsArgv(prompt);
  return {
    argv: [
      path,
      ...config.argv.slice(1),
      ...(conversation ?? []).map((argument) => argument.replaceAll("{id}", id ?? "")),
      ...flagsOf(config).flatMap(({ field, flag }) => {
        const value = request.config[field];
        return value === undefined ? [] : flagged(flag, String(value));
      }),
      ...(config.permissions_flag === null ? [] : permissionOptions(config.permissions_flag, request.config)),
      ...(hooks?.argv ?? []),
      ...(config.prompt_flag !== null && fitsArgv(prompt) ? flagged(config.prompt_flag, prompt) : []),
    ],
    env: { ...config.env, ...hooks?.env },
    conversationId: id,
    carriesPrompt,
  };
}

function flagsOf(config: AgentConfig): readonly { readonly field: OverrideField; readonly flag: string }[] {
  const flags = {
    model: config.model_flag,
    model_provider: config.provider_flag,
    temperature: config.temperature_flag,
    reasoning_effort: config.effort_flag,
  };
  return OVERRIDE_FIELDS.flatMap((field) => {
    if (field === "permissions") return [];
    const flag = flags[field];
    return flag === null ? [] : [{ field, flag }];
  });
}

function flagged(flag: string, value: string): readonly string[] {
  return flag.endsWith("=") ? [`${flag}${value}`] : [flag, value];
}

/** Without a pattern for its input, an agent is assumed to echo typed text at its cursor. */
function deliveryOf(
  { input, placeholder }: AgentConfig,
  { title, read }: { readonly title: string; readonly read: AgentAdapter["read"] },
): Pick<AgentAdapter, "arrived" | "mixed" | "submitted"> {
  if (input === null) return { arrived: echoArrived, submitted: echoSubmitted };
  return composerDelivery({ title, read, placeholder: placeholder === null ? /(?!)/gu : new RegExp(placeholder, "gu") });
}
