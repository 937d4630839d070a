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

/** The start of a turn. */
const TurnBrief = z.object({
  id: z.string(),
  generation: z.number().int().positive(),
  state: z.enum([...TurnState.options, "waiting_approval"]),
  prompt: z.string().describe("The first 200 characters of its prompt."),
  started_at: Timestamp.nullable(),
});

/** A session in a response: the record, its activity and other current data. */
export const SessionAnswer = z.looseObject({
  ...SessionRecord.shape,
  ...Session.shape,
  activity: Activity,
  viewers: z.number().int().nonnegative().describe("Users' terminals attached at the last observation."),
  decision: Decision.nullable().describe("The decision it waits for; null when there is none."),
  question: Question.nullable()
    .default(null)
    .describe("Its longest-waiting question to the user; null when there is none. `tmpm inbox` lists all."),
  report: Report.nullable().default(null).describe("Its last report; null when there is none."),
  thought: Thought.describe("The session's subject, as last reported by its agent. Counts are in tokens."),
  repo_theme: RepoTheme.nullable().default(null).describe("The colours of its repository; null outside a repository."),
  repo_theme_id: z.string().nullable().default(null).describe("Directory that the colours belong to; null without colours."),
  current_command: z
    .string()
    .nullable()
    .default(null)
    .describe("Foreground program of its terminal at the last observation; null if there was none."),
  last_skill: z.string().nullable().default(null).describe("Skill last used by its agent; null if none was reported to this daemon."),
  is_stale: z.boolean().default(false).describe("Whether it runs but its last observation has expired."),
  transport_health: TransportHealth.default("healthy").describe(
    "`degraded`: its host does not answer. `disconnected`: it has no terminal. `overloaded` is never used.",
  ),
  turn: TurnBrief.nullable().describe("Its running turn; null when there is none."),
  queued: z.number().int().nonnegative().describe("Number of prompts queued for it."),
  usage: z
    .object({ tokens: TokenCounts, context: ContextFill.nullable() })
    .nullable()
    .default(null)
    .describe("Tokens used so far, and its last known context usage; null when nothing was counted."),
  unreadable: z
    .string()
    .nullable()
    .default(null)
    .describe("Why its record is unreadable, in which case all of this is its last known content; null otherwise."),
  directory_gone: z.boolean().default(false).describe("Whether its directory was missing at the last check."),
  hint: z.string().nullable().describe("Suggested action for the user; null when there is none."),
});
export type SessionAnswer = z.infer<typeof SessionAnswer>;
