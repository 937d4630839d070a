import * as z from "zod";
import { HooksConfig } from "./hooks-config.js";
import { InputConfig } from "./input-config.js";
import { Pattern } from "./pattern.js";
import { TextConfig } from "./text-config.js";
import { TranscriptConfig } from "./transcript-config.js";

const Patterns = z.array(Pattern).default([]);
const Keys = z.tuple([z.string().min(1)], z.string().min(1));

/** What shows each state: patterns for a row near the end of the screen, or for the title. The first state with a match counts. */
const States = z
  .strictObject({
    blocked: Patterns,
    awaiting_approval: Patterns,
    awaiting_input: Patterns,
    working: Patterns,
    errored: Patterns,
    idle: Patterns,
  })
  .prefault({});

/** An agent that a user defines in a file of their own. `{id}` in an argument stands for the conversation's id. */
export const AgentConfig = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  title: z.string().min(1).optional(),
  /** Versions that this description was tried with, as `--version` prints them, oldest first. */
  verified: z.array(z.string().min(1)).default([]),
  /** The command that installs it, for people who do not have it. */
  install: z.string().min(1).optional(),
  /** The program, looked up on PATH, and the arguments that it always gets. */
  argv: z.tuple([z.string().min(1)], z.string()),
  env: z.record(z.string(), z.string()).default({}),
  /** The program and its arguments that speak the Agent Client Protocol on standard input and output; null: it speaks none. */
  protocol: z
    .tuple([z.string().min(1)], z.string())
    .nullable()
    .default(null),
  /** Before the first prompt in argv: `--` or a flag, joined with the prompt when it ends in `=`. Null: the prompt is typed. */
  prompt_flag: z.string().min(1).nullable().default(null),
  model_flag: z.string().min(1).nullable().default(null),
  /** Before the provider, the temperature and the reasoning effort, as before the model; null: it has no way to be given them. */
  provider_flag: z.string().min(1).nullable().default(null),
  temperature_flag: z.string().min(1).nullable().default(null),
  effort_flag: z.string().min(1).nullable().default(null),
  /** Before what it may do unasked; null: it has no such option. */
  permissions_flag: z.string().min(1).nullable().default(null),
  /** What a prompt says of a file, `{path}` being its path. */
  mention: z.string().includes("{path}").default("{path}"),
  /** Arguments that begin a conversation under an id of ours; null when the agent chooses the id. */
  begin: z.array(z.string()).nullable().default(null),
  /** Arguments that resume a conversation; null when none can be resumed. */
  resume: z.array(z.string()).nullable().default(null),
  queues_while_working: z.boolean().default(false),
  alters: z.string().nullable().default(null),
  quit: z
    .union([z.strictObject({ text: z.string().min(1) }), z.strictObject({ keys: Keys })])
    .nullable()
    .default(null),
  interrupt: Keys.default(["C-c"]),
  approve: Keys.nullable().default(null),
  deny: Keys.nullable().default(null),
  /** How many rows at the end of the screen are checked. */
  rows: z.int().min(1).max(100).default(12),
  states: States,
  title_states: States,
  /** The input: a pattern for the row that holds the cursor, its first group being what waits there, or where it is and how many rows it has. */
  input: z.union([Pattern, InputConfig]).nullable().default(null),
  /** What of text it takes for a command of its own, or changes; null when every text arrives as it is. */
  text: TextConfig.nullable().default(null),
  /** The agent's own record of a conversation, and how it reports its events; null when it has none that can be read. */
  transcript: TranscriptConfig.nullable().default(null),
  hooks: HooksConfig.nullable().default(null),
  /** A row that shows what is to be approved, in its first group. */
  subject: Pattern.nullable().default(null),
  /** What the input shows in place of a long paste. */
  placeholder: Pattern.nullable().default(null),
});
export type AgentConfig = z.infer<typeof AgentConfig>;
