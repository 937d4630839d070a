import * as z from "zod";

const Choices = z.object({
  current: z.string(),
  options: z.array(z.object({ value: z.string(), name: z.string() })).readonly(),
  /** How another value is set: as a configuration option of this id, or by a method of the protocol's own. */
  by: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("option"), id: z.string() }),
    z.object({ kind: z.literal("method"), name: z.enum(["session/set_mode", "session/set_model"]) }),
  ]),
});
export type Choices = z.infer<typeof Choices>;

/** What an agent lets a conversation choose; null where it does not. */
export const AgentSettings = z.object({ model: Choices.nullable(), mode: Choices.nullable(), effort: Choices.nullable() });
export type AgentSettings = z.infer<typeof AgentSettings>;
export type SettingName = keyof AgentSettings;

export const NO_SETTINGS: AgentSettings = { model: null, mode: null, effort: null };
