import * as z from "zod";
import { JsonField } from "./json-field.js";

/** The meaning of an event. */
const Event = z.strictObject({
  /** The agent's activity from then on; null when the event does not determine it. */
  state: z.enum(["working", "idle", "awaiting_approval", "awaiting_input", "errored"]).nullable().default(null),
  /** A prompt went into execution. */
  prompted: z.boolean().default(false),
  /** It happens only in the terminal's conversation, so it identifies that. */
  binds: z.boolean().default(false),
});

/** How the agent is configured to report its events, for one session and without a change to the user's files, and their meaning. */
export const HooksConfig = z.strictObject({
  /**
   * Files to write into a private folder, by name: text, or JSON. In texts `{command}` is the reporting command as a shell line,
   * `{command_json}` as a list, `{folder}` the folder.
   */
  files: z.record(z.string().regex(/^[\w-][\w.-]*$/u), z.union([z.string(), z.record(z.string(), z.unknown())])).default({}),
  /** Arguments and environment that make the agent read them; with the same placeholders. */
  argv: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  /** The name and the conversation's id in an event, which the command gets as JSON on its standard input. */
  event: JsonField,
  conversation: JsonField.nullable().default(null),
  /** The tool in it, and the subject of an approval. */
  tool: JsonField.nullable().default(null),
  subject: JsonField.nullable().default(null),
  /** By name. */
  events: z.record(z.string(), Event),
});
export type HooksConfig = z.infer<typeof HooksConfig>;
