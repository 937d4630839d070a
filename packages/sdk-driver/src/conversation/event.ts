import { TokenCounts } from "@tmpm/core";
import * as z from "zod";
import { MessageEntry, PlanStep, TOOL_STATUSES } from "../transcript/transcript.js";
import { PermissionRequest } from "./request.js";
import { AgentSettings } from "./settings.js";

const count = z.number().int().nonnegative();

/** An event in a conversation, as reported by its holder. The state of a conversation is the fold of its events. */
export const ConversationEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("opened"),
    conversation_id: z.string(),
    agent: z.object({ name: z.string(), version: z.string() }).nullable(),
    settings: AgentSettings,
  }),
  /** There is no conversation: the agent refuses, or does not speak the protocol. */
  z.object({ type: z.literal("failed"), message: z.string(), hint: z.string().nullable() }),
  /** The agent's process has ended. */
  z.object({ type: z.literal("exited"), status: z.number().int().nullable(), signal: z.number().int().nullable() }),
  /** A prompt was sent, and its turn begins. */
  z.object({ type: z.literal("prompted"), key: z.string(), text: z.string() }),
  /** A prompt was completely written to the agent's input. */
  z.object({ type: z.literal("written"), key: z.string() }),
  /** The agent refused the prompt before its turn began. */
  z.object({ type: z.literal("refused"), key: z.string(), reason: z.string() }),
  z.object({ type: z.literal("cancelled") }),
  /** `stop` is the protocol's reason: `end_turn`, `cancelled`, `max_tokens`. `usage` is the turn's usage, if the agent reports it. */
  z.object({ type: z.literal("ended"), key: z.string(), stop: z.string(), usage: TokenCounts.optional() }),
  /** The turn ended with an error of the agent. */
  z.object({ type: z.literal("broke"), key: z.string(), message: z.string() }),
  z.object({ type: z.literal("asked"), request: PermissionRequest }),
  /** `label` is null for a withdrawn request. */
  z.object({ type: z.literal("answered"), request: z.string(), label: z.string().nullable() }),
  z.object({ type: z.literal("settings"), settings: AgentSettings }),
  z.object({ type: z.literal("said"), who: MessageEntry.shape.who, text: z.string(), message: z.string().nullable() }),
  z.object({
    type: z.literal("used"),
    id: z.string(),
    title: z.string().optional(),
    tool: z.string().optional(),
    status: z.enum(TOOL_STATUSES).optional(),
    output: z.string().optional(),
  }),
  z.object({ type: z.literal("planned"), plan: z.array(PlanStep).readonly() }),
  z.object({ type: z.literal("counted"), tokens: count, context_limit: count }),
  z.object({ type: z.literal("noted"), text: z.string() }),
  /** An unknown event of a later holder: it has a number, and no effect. */
  z.object({ type: z.literal("unknown") }),
]);
export type ConversationEvent = z.infer<typeof ConversationEvent>;

/** An event with its number in the conversation, from 1 without gaps, and its time in ms since 1970. */
export const NumberedEvent = z.object({
  seq: z.number().int().positive(),
  at_ms: z.number(),
  event: ConversationEvent.catch({ type: "unknown" }),
});
export type NumberedEvent = z.infer<typeof NumberedEvent>;
