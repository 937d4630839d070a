import * as z from "zod";

/** The launch instructions for a holder of a conversation. */
export const ConversationLaunch = z.object({
  /** The program and its arguments; `argv[0]` is looked up in the `PATH` of `env`. */
  argv: z.tuple([z.string()], z.string()),
  /** An absolute directory. */
  cwd: z.string(),
  /** The agent's whole environment. */
  env: z.record(z.string(), z.string()),
  /** The conversation that the agent resumes; null for a new one. */
  conversation_id: z.string().nullable(),
  /** Settings requested before its first prompt. */
  wishes: z.object({ model: z.string().optional(), mode: z.string().optional(), effort: z.string().optional() }),
  /** The program and arguments of an MCP server for the agent. */
  tools: z.array(z.string()).optional(),
  /** The absolute path for each turn's usage record. */
  usage_file: z.string().optional(),
  /** The version of tmpm. */
  version: z.string(),
  /** The reported size of its screens, in cells. */
  columns: z.number().int().positive(),
  rows: z.number().int().positive(),
});
export type ConversationLaunch = z.infer<typeof ConversationLaunch>;
