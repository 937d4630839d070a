import type { SessionOverrides } from "@tmpm/core";
import type { AgentOverrides } from "../agent-overrides.js";

/** Codex 0.171.0 takes all of them in its arguments only; `/model` opens a list of its own. */
export const codexOverrides: AgentOverrides = {
  fields: ["model", "model_provider", "reasoning_effort"],
  efforts: ["none", "minimal", "low", "medium", "high", "xhigh"],
};

/** Values of `-c` are TOML, in which a word in JSON's quotes is a string. */
export function codexOptions({ model, model_provider, reasoning_effort }: SessionOverrides): readonly string[] {
  return [
    ...(model === undefined ? [] : ["--model", model]),
    ...(model_provider === undefined ? [] : ["-c", `model_provider=${JSON.stringify(model_provider)}`]),
    ...(reasoning_effort === undefined ? [] : ["-c", `model_reasoning_effort=${JSON.stringify(reasoning_effort)}`]),
  ];
}
