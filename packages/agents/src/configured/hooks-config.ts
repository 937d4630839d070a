import * as z from "zod";
import { JsonField } from "./json-field.js";

/** What an event says. */
const Event = z.strictObject({
  /** What the agent does from then on; null when the event says nothing of it. */
  state: z.enum(["working", "idle", "awaiting_approval", "awaiting_input", "errored"]).nullable().default(null),
  /** A prompt went into execution. */
  prompted: z.boolean().default(false),
  /** It happens only in the conversation of the terminal, so it reports which that is. */
  binds: z.boolean().default(false),
});

/** How the agent is asked to report its events, for one session and without a change to the user's files, and what they say. */
export const HooksConfig = z.strictObject({
  /**
   * Files to write into a private folder, by their names: text, or JSON. In texts `{command}` is the reporting command as a line of shell, `{command_json}` as a list,
   * `{folder}` the folder.
   */
  files: z.record(z.string().regex(/^[\w-][\w.-]*$/u), z.union([z.string(), z.record(z.string(), z.unknown())])).default({}),
  /** Arguments and environment that make the agent read them; with the same words in braces. */
  argv: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  /** Where an event, which the command gets as JSON on its standard input, has its name and its conversation's id. */
  event: JsonField,
  conversation: JsonField.nullable().default(null),
  /** The tool that it speaks of, and what is to be approved. */
  tool: JsonField.nullable().default(null),
  subject: JsonField.nullable().default(null),
  /** By name. */
  events: z.record(z.string(), Event),
});
export type HooksConfig = z.infer<typeof HooksConfig>;
