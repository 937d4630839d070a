import * as z from "zod";
import { JsonField } from "./json-field.js";

/** Entries of one kind: the values of their fields, and the path of their text. */
const Entries = z.strictObject({ when: z.record(JsonField, z.string()).default({}), text: JsonField });

/** The agent's own record of a conversation, a line of JSON for each entry. */
export const TranscriptConfig = z.strictObject({
  /** A file: `~` is the home folder, `*` matches a part of a name, `{id}` is the conversation's id. */
  path: z
    .string()
    .regex(/^(?:~?\/)/u, "not a path that begins with / or ~/")
    .includes("{id}"),
  /** The user's messages. */
  prompt: z.array(Entries).min(1),
  /** The agent's messages to the user. */
  message: z.array(Entries).min(1),
  model: JsonField.nullable().default(null),
  /** Tokens of the conversation so far, and its context window. */
  tokens: JsonField.nullable().default(null),
  context_limit: JsonField.nullable().default(null),
});
export type TranscriptConfig = z.infer<typeof TranscriptConfig>;
export type EntriesConfig = z.infer<typeof Entries>;
