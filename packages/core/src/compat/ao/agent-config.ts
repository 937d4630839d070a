import * as z from "zod";
import { isFields } from "../fields.js";
import { option } from "../wire.js";

/** The configuration frozen at spawn (ao-rs 1.5); two of its keys are camelCase there. */
export const AoAgentConfig = z.looseObject({
  permissions: z.enum(["permissionless", "default", "auto-edit", "suggest"]).default("permissionless"),
  rules: option(z.string()),
  rules_file: option(z.string()),
  model: option(z.string()),
  orchestratorModel: option(z.string()),
  opencodeSessionId: option(z.string()),
});

/** A session's document with the alias `rules-file` of its configuration renamed. */
export function withoutAlias(document: unknown): unknown {
  if (!isFields(document) || !isFields(document.agent_config) || !Object.hasOwn(document.agent_config, "rules-file")) return document;
  const { "rules-file": rules_file, ...config } = document.agent_config;
  return { ...document, agent_config: { rules_file, ...config } };
}
