import * as z from "zod";
import { HooksConfig } from "./hooks-config.js";
import { InputConfig } from "./input-config.js";
import { Pattern } from "./pattern.js";
import { TextConfig } from "./text-config.js";
import { TranscriptConfig } from "./transcript-config.js";

const Patterns = z.array(Pattern).default([]);
const Keys = z.tuple([z.string().min(1)], z.string().min(1));

/** Detection of each state: patterns for a row near the end of the screen, or for the title. The first state with a match wins. */
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

/** An agent that a user defines in a file. `{id}` in an argument is replaced by the conversation's id. */
export const AgentConfig = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  title: z.string().min(1).optional(),
  /** Tested versions of this description, as `--version` prints them, oldest first. */
  verified: z.array(z.string().min(1)).default([]),
  /** The command that installs it, for users without it. */
  install: z.string().min(1).optional(),
  /** The program, looked up on PATH, and its fixed arguments. */
  argv: z.tuple([z.string().min(1)], z.string()),
  env: z.record(z.string(), z.string()).default({}),
  /** The command line that speaks the Agent Client Protocol on standard input and output; null without one. */
  protocol: z
    .tuple([z.string().min(1)], z.string())
    .nullable()
    .default(null),
  /** Before the first prompt in argv: `--` or a flag, joined with the prompt when it ends in `=`. Null: the prompt is typed. */
  prompt_flag: z.string().min(1).nullable().default(null),
  model_flag: z.string().min(1).nullable().default(null),
  /** Before the provider, the temperature and the reasoning effort, as for the model; null without such an option. */
  provider_flag: z.string().min(1).nullable().default(null),
  temperature_flag: z.string().min(1).nullable().default(null),
  effort_flag: z.string().min(1).nullable().default(null),
  /** Before the permission mode; null without such an option. */
  permissions_flag: z.string().min(1).nullable().default(null),
  /** Whether it requests approval before it runs a command, with its default permissions; null when unknown. */
  asks_first: z.boolean().nullable().default(null),
  /** The mention of a file in a prompt, with `{path}` for its path. */
  mention: z.string().includes("{path}").default("{path}"),
  /** Arguments that begin a conversation with our id; null when the agent chooses the id. */
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
  /** Number of rows at the end of the screen to check. */
  rows: z.int().min(1).max(100).default(12),
  states: States,
  title_states: States,
  /** The input: a pattern for the row with the cursor, its first group being the draft, or the place of the input and its rows. */
  input: z.union([Pattern, InputConfig]).nullable().default(null),
  /** Texts that it treats as commands of its own, or changes; null when every text arrives unchanged. */
  text: TextConfig.nullable().default(null),
  /** The agent's own record of a conversation, and how it reports its events; null without a readable one. */
  transcript: TranscriptConfig.nullable().default(null),
  hooks: HooksConfig.nullable().default(null),
  /** A row with the subject of an approval, in its first group. */
  subject: Pattern.nullable().default(null),
  /** The placeholder of a long paste in the input. */
  placeholder: Pattern.nullable().default(null),
});
export type AgentConfig = z.infer<typeof AgentConfig>;
