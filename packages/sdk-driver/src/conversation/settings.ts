import * as z from "zod";

const Choices = z.object({
  current: z.string(),
  options: z.array(z.object({ value: z.string(), name: z.string() })).readonly(),
  /** How to set another value: as a configuration option with this id, or by a method of the protocol. */
  by: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("option"), id: z.string() }),
    z.object({ kind: z.literal("method"), name: z.enum(["session/set_mode", "session/set_model"]) }),
  ]),
});
export type Choices = z.infer<typeof Choices>;

/** The settings that an agent offers in a conversation; null without any. */
export const AgentSettings = z.object({ model: Choices.nullable(), mode: Choices.nullable(), effort: Choices.nullable() });
export type AgentSettings = z.infer<typeof AgentSettings>;
export type SettingName = keyof AgentSettings;

export const NO_SETTINGS: AgentSettings = { model: null, mode: null, effort: null };
