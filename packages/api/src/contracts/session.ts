import {
  Activity,
  ContextFill,
  Decision,
  Question,
  Report,
  RepoTheme,
  Session,
  SessionRecord,
  ThoughtSnapshot,
  Timestamp,
  TokenCounts,
  TransportHealth,
  TurnState,
} from "@tmpm/core";
import * as z from "zod";

const Thought = ThoughtSnapshot.pick({
  thought: true,
  thought_state: true,
  thought_source: true,
  rest_state: true,
  commit_candidate: true,
  action_cues: true,
  objective_changed_at: true,
  token_count: true,
  context_limit: true,
}).extend({ thought_updated_at: Timestamp.nullable() });

/** The beginning of a turn. */
const TurnBrief = z.object({
  id: z.string(),
  generation: z.number().int().positive(),
  state: z.enum([...TurnState.options, "waiting_approval"]),
  prompt: z.string().describe("Its first 200 characters."),
  started_at: Timestamp.nullable(),
});

/** A session in an answer: the snapshot, the record, and what is believed now. */
export const SessionAnswer = z.looseObject({
  ...SessionRecord.shape,
  ...Session.shape,
  activity: Activity,
  viewers: z.number().int().nonnegative().describe("Terminals of people attached when the session was last observed."),
  decision: Decision.nullable().describe("The decision it waits for; null when there is none."),
  question: Question.nullable()
    .default(null)
    .describe("What it asks a person in words of its own, of several the longest waiting; null when nothing. `tmpm inbox` lists all."),
  report: Report.nullable().default(null).describe("What it reported last; null when nothing."),
  thought: Thought.describe("What the session is about, as its agent said it last. Counts are in tokens."),
  repo_theme: RepoTheme.nullable().default(null).describe("The colours of its repository; null outside of any."),
  repo_theme_id: z.string().nullable().default(null).describe("The directory that the colours are of; null without any."),
  current_command: z
    .string()
    .nullable()
    .default(null)
    .describe("The program in the foreground of its terminal, when it was last observed; null while none was."),
  last_skill: z
    .string()
    .nullable()
    .default(null)
    .describe("The skill that its agent used last; null when none was reported to this daemon."),
  is_stale: z.boolean().default(false).describe("It runs, and was not observed for longer than an observation counts."),
  transport_health: TransportHealth.default("healthy").describe(
    "`degraded`: its host does not answer. `disconnected`: it has no terminal. `overloaded` is never said.",
  ),
  turn: TurnBrief.nullable().describe("What it works on as a turn; null when nothing."),
  queued: z.number().int().nonnegative().describe("How many prompts wait for it."),
  usage: z
    .object({ tokens: TokenCounts, context: ContextFill.nullable() })
    .nullable()
    .default(null)
    .describe("The tokens that it has used so far, and how full its context was last; null when nothing was counted."),
  unreadable: z
    .string()
    .nullable()
    .default(null)
    .describe("Why its record cannot be read now: all of this is what it said last. Null when it can."),
  directory_gone: z.boolean().default(false).describe("Its directory did not exist when it was last looked at."),
  hint: z.string().nullable().describe("What a person should do about the session; null when nothing."),
});
export type SessionAnswer = z.infer<typeof SessionAnswer>;
