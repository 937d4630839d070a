import {
  type ClientContext,
  methods,
  RequestError,
  type SetSessionConfigOptionRequest,
  type SetSessionConfigOptionResponse,
} from "@agentclientprotocol/sdk";
import type { AgentSettings, Choices, SettingName } from "../conversation/settings.js";
import { withOptions } from "./settings-of.js";

export interface SettingChange {
  readonly conversationId: string;
  readonly settings: AgentSettings;
  readonly name: SettingName;
  readonly value: string;
}

export type SettingResult =
  | { readonly kind: "applied"; readonly settings: AgentSettings }
  | { readonly kind: "refused"; readonly message: string }
  /** The agent offers no such setting. */
  | { readonly kind: "later"; readonly why: string };

const TITLES = { model: "model", mode: "mode", effort: "reasoning effort" } as const;

/** Changes the agent's model, mode or effort from now on. */
export async function changeSetting(agent: ClientContext, change: SettingChange): Promise<SettingResult> {
  const { settings, name, value } = change;
  const choices = settings[name];
  if (choices === null) return { kind: "later", why: `the agent does not let tmpm choose a ${TITLES[name]}` };
  const chosen = choices.options.find((option) => option.value === value || option.name === value);
  if (chosen === undefined) {
    const names = choices.options.map((option) => option.value).join(", ");
    return { kind: "refused", message: `it has no ${TITLES[name]} ${JSON.stringify(value)}; it has ${names}` };
  }
  try {
    return { kind: "applied", settings: await ask(agent, { ...change, choices, value: chosen.value }) };
  } catch (error) {
    if (error instanceof RequestError) return { kind: "refused", message: error.message };
    throw error;
  }
}

async function ask(agent: ClientContext, change: SettingChange & { readonly choices: Choices }): Promise<AgentSettings> {
  const { conversationId: sessionId, settings, name, value, choices } = change;
  const changed: AgentSettings = { ...settings, [name]: { ...choices, current: value } };
  if (choices.by.kind === "option") {
    const request: SetSessionConfigOptionRequest = { sessionId, configId: choices.by.id, value };
    const { configOptions }: SetSessionConfigOptionResponse = await agent.request(methods.agent.session.setConfigOption, request);
    return withOptions(changed, configOptions);
  }
  if (choices.by.name === "session/set_mode") await agent.request(methods.agent.session.setMode, { sessionId, modeId: value });
  else await agent.request(choices.by.name, { sessionId, modelId: value });
  return changed;
}
