import * as z from "zod";

/** What a holder of a conversation is given to run. */
export const ConversationLaunch = z.object({
  /** The program and its arguments; `argv[0]` is looked up in the `PATH` of `env`. */
  argv: z.tuple([z.string()], z.string()),
  /** An absolute directory. */
  cwd: z.string(),
  /** All that the agent gets. */
  env: z.record(z.string(), z.string()),
  /** The conversation that the agent resumes; null for a new one. */
  conversation_id: z.string().nullable(),
  /** What it is asked to use before its first prompt. */
  wishes: z.object({ model: z.string().optional(), mode: z.string().optional(), effort: z.string().optional() }),
  /** The program and arguments of an MCP server that it is given. */
  tools: z.array(z.string()).optional(),
  /** Where what each turn used is written down, absolute. */
  usage_file: z.string().optional(),
  /** Of tmpm. */
  version: z.string(),
  /** The reported size of its screens, in cells. */
  columns: z.number().int().positive(),
  rows: z.number().int().positive(),
});
export type ConversationLaunch = z.infer<typeof ConversationLaunch>;
