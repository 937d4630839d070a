import * as z from "zod";
import { EMPTY_TRANSCRIPT, Transcript } from "../transcript/transcript.js";
import { PermissionRequest } from "./request.js";
import { AgentSettings, NO_SETTINGS } from "./settings.js";

/** The phase of a conversation. */
export const Phase = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("starting") }),
  z.object({ kind: z.literal("open") }),
  z.object({ kind: z.literal("failed"), message: z.string(), hint: z.string().nullable() }),
  z.object({ kind: z.literal("exited"), status: z.number().int().nullable(), signal: z.number().int().nullable(), at_ms: z.number() }),
]);
export type Phase = z.infer<typeof Phase>;

/** The outcome of a sent prompt. */
export const Fate = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("taken") }),
  z.object({ kind: z.literal("refused"), reason: z.string() }),
]);
export type Fate = z.infer<typeof Fate>;

export const ConversationState = z.object({
  phase: Phase,
  /** The agent's own id, by which it resumes it. */
  conversation_id: z.string().nullable(),
  agent: z.object({ name: z.string(), version: z.string() }).nullable(),
  settings: AgentSettings,
  /** The running turn. `heard`: the agent has reported something of it. */
  turn: z.object({ key: z.string(), at_ms: z.number(), cancelled: z.boolean(), heard: z.boolean() }).nullable(),
  /** How the last turn ended; null before the first. */
  last: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("ended"), stop: z.string(), at_ms: z.number() }),
      z.object({ kind: z.literal("broke"), message: z.string(), at_ms: z.number() }),
    ])
    .nullable(),
  /** Pending requests, oldest first. */
  requests: z.array(PermissionRequest).readonly(),
  /** The sent prompts, oldest first, bounded. */
  fates: z.array(z.object({ key: z.string(), fate: Fate })).readonly(),
  /** Keys of those that are not known to be written to the agent in full. Holders of earlier versions do not list them. */
  unwritten: z.array(z.string()).readonly().default([]),
  prompts: z.number().int().nonnegative(),
  transcript: Transcript,
  /** Time of the last event, in ms since 1970; 0 before. */
  active_ms: z.number(),
});
export type ConversationState = z.infer<typeof ConversationState>;

export const NO_CONVERSATION: ConversationState = {
  phase: { kind: "starting" },
  conversation_id: null,
  agent: null,
  settings: NO_SETTINGS,
  turn: null,
  last: null,
  requests: [],
  fates: [],
  unwritten: [],
  prompts: 0,
  transcript: EMPTY_TRANSCRIPT,
  active_ms: 0,
};
