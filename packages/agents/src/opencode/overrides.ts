import { type SessionOverrides, TmpmError } from "@tmpm/core";
import type { AgentOverrides } from "../agent-overrides.js";
import { isObject } from "../files/json-path.js";

/** OpenCode 1.18 takes them in its arguments and in configuration in its environment; its model is `provider/model`. */
export const opencodeOverrides: AgentOverrides = {
  fields: ["model", "model_provider", "temperature", "reasoning_effort"],
  problem({ model, model_provider }) {
    if (model_provider === undefined) return null;
    if (model === undefined) return "OpenCode accepts a provider only together with a model";
    return model.startsWith(`${model_provider}/`) || !model.includes("/") ? null : `${model} is not a model of ${model_provider}`;
  },
};

export function opencodeModel({ model, model_provider }: SessionOverrides): readonly string[] {
  if (model === undefined) return [];
  const bare = model_provider === undefined || model.startsWith(`${model_provider}/`);
  return ["--model", bare ? model : `${model_provider}/${model}`];
}

/** OpenCode's built-in agents that talk to the user. */
const AGENTS = ["build", "plan"];

/** JSON configuration with the overrides that are settings of OpenCode's own agents; unchanged without any. */
export function withAgentOptions(content: string | undefined, { temperature, reasoning_effort }: SessionOverrides): string | undefined {
  if (temperature === undefined && reasoning_effort === undefined) return content;
  const known = configOf(content);
  const agents = objectOf(known.agent);
  const options = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoning_effort === undefined ? {} : { reasoningEffort: reasoning_effort }),
  };
  const agent = Object.fromEntries(AGENTS.map((name) => [name, { ...objectOf(agents[name]), ...options }]));
  return JSON.stringify({ ...known, agent: { ...agents, ...agent } });
}

/** @throws INVALID_ARGUMENT for a user's configuration that cannot be extended */
function configOf(content: string | undefined): Readonly<Record<string, unknown>> {
  if (content === undefined || content === "") return {};
  try {
    const config: unknown = JSON.parse(content);
    if (isObject(config)) return config;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new TmpmError("INVALID_ARGUMENT", "OPENCODE_CONFIG_CONTENT is not a JSON object, so nothing can be added to it");
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
