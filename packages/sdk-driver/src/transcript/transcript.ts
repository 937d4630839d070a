import * as z from "zod";

/** The texts of a conversation, in order. `thought` is the agent's reasoning. */
export const MessageEntry = z.object({
  kind: z.literal("said"),
  who: z.enum(["user", "agent", "thought"]),
  text: z.string(),
  /** The protocol's id of the message; null without one. */
  message: z.string().nullable(),
});
export type MessageEntry = z.infer<typeof MessageEntry>;

export const TOOL_STATUSES = ["pending", "in_progress", "completed", "failed"] as const;

/** A tool that the agent used or wants to use. */
export const ToolEntry = z.object({
  kind: z.literal("used"),
  id: z.string(),
  /** In the agent's own words: the command, the file. */
  title: z.string(),
  /** The protocol's kind of it: `execute`, `edit`, `read`. */
  tool: z.string(),
  status: z.enum(TOOL_STATUSES),
  output: z.string(),
});
export type ToolEntry = z.infer<typeof ToolEntry>;

/** Other notes: the end of a turn, output of the agent outside the protocol. */
export const NoteEntry = z.object({ kind: z.literal("noted"), text: z.string() });
export type NoteEntry = z.infer<typeof NoteEntry>;

export const Entry = z.discriminatedUnion("kind", [MessageEntry, ToolEntry, NoteEntry]);
export type Entry = z.infer<typeof Entry>;

export const PlanStep = z.object({ content: z.string(), status: z.enum(["pending", "in_progress", "completed"]) });
export type PlanStep = z.infer<typeof PlanStep>;

/** The messages and tool calls of a conversation, bounded: the oldest are dropped first. */
export const Transcript = z.object({
  entries: z.array(Entry).readonly(),
  /** Number of dropped entries. */
  dropped: z.number().int().nonnegative(),
  plan: z.array(PlanStep).readonly(),
  /** Tokens in the model's context; 0 when not reported. */
  tokens: z.number().int().nonnegative(),
  /** The model's context window in tokens; 0 when not reported. */
  context_limit: z.number().int().nonnegative(),
});
export type Transcript = z.infer<typeof Transcript>;

export const EMPTY_TRANSCRIPT: Transcript = { entries: [], dropped: 0, plan: [], tokens: 0, context_limit: 0 };
