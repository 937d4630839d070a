import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import * as z from "zod";
import type { AgentSettings, Choices } from "../conversation/settings.js";

/** The settings of a conversation according to an answer. */
export interface ReportedSettings {
  readonly modes?: SessionModeState | null | undefined;
  readonly configOptions?: readonly SessionConfigOption[] | null | undefined;
  /** Not in the stable protocol: Gemini 0.61 lists its models this way. */
  readonly models?: unknown;
}

const Models = z.object({
  currentModelId: z.string(),
  availableModels: z.array(z.object({ modelId: z.string(), name: z.string().optional() })),
});

/** Configuration options take precedence over the older methods, which agents offer as well. */
export function settingsOf({ modes, configOptions, models }: ReportedSettings): AgentSettings {
  return {
    model: optionOf(configOptions, "model") ?? modelsOf(models),
    mode: optionOf(configOptions, "mode") ?? modesOf(modes),
    effort: optionOf(configOptions, "thought_level"),
  };
}

/** The settings after a report of all configuration options: it lists no setting that has another method. */
export function withOptions(settings: AgentSettings, configOptions: ReportedSettings["configOptions"]): AgentSettings {
  const { model, mode, effort } = settingsOf({ configOptions });
  return { model: model ?? settings.model, mode: mode ?? settings.mode, effort: effort ?? settings.effort };
}

function optionOf(options: ReportedSettings["configOptions"], category: string): Choices | null {
  const option = options?.find((each) => each.category === category && each.type === "select");
  if (option === undefined || option.type !== "select") return null;
  const choices = option.options.flatMap((choice) => ("options" in choice ? choice.options : [choice]));
  return {
    current: option.currentValue,
    options: choices.map(({ value, name }) => ({ value, name })),
    by: { kind: "option", id: option.id },
  };
}

function modesOf(modes: ReportedSettings["modes"]): Choices | null {
  if (!modes) return null;
  const options = modes.availableModes.map(({ id, name }) => ({ value: id, name }));
  return { current: modes.currentModeId, options, by: { kind: "method", name: "session/set_mode" } };
}

function modelsOf(reported: unknown): Choices | null {
  const models = Models.safeParse(reported);
  if (!models.success) return null;
  const options = models.data.availableModels.map(({ modelId, name }) => ({ value: modelId, name: name ?? modelId }));
  return { current: models.data.currentModelId, options, by: { kind: "method", name: "session/set_model" } };
}
