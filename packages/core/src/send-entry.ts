import * as z from "zod";
import { SendCause } from "./grant.js";
import { SessionId } from "./ids.js";
import { Receipt } from "./receipt.js";
import { PaneIdentity } from "./record.js";
import { Timestamp } from "./timestamp.js";

/**
 * How far a delivery may have come; written before the step is taken. `pasting`: the text may be in the input, Enter was not pressed;
 * `entering`: Enter may have been pressed; `done`: its receipt stands.
 */
export const SendStep = z.enum(["accepted", "pasting", "entering", "done"]);
export type SendStep = z.infer<typeof SendStep>;

/** The screen before the text, or with it: what a later look is compared with. */
export const SendScreen = z.object({
  lines: z.array(z.string()),
  columns: z.number().int(),
  cursor: z.object({ column: z.number().int(), row: z.number().int(), visible: z.boolean() }),
  history_size: z.number().int(),
  title: z.string(),
  foreground: z.boolean().nullable(),
  command: z.string(),
});
export type SendScreen = z.infer<typeof SendScreen>;

/** One accepted send, as it is kept beside its text until the text is no longer needed, and for its key after that. */
export const SendEntry = z.object({
  schema_version: z.literal(1).default(1),
  id: SessionId,
  session_id: SessionId,
  /** The client's own, unique for the session; null without one. */
  key: z.string().nullable(),
  /** SHA-256 of the text, in hexadecimal. */
  digest: z.string(),
  bytes: z.number().int().nonnegative(),
  accepted_at: Timestamp,
  updated_at: Timestamp,
  /** Goes on without its caller, also after a restart. */
  background: z.boolean(),
  /** How long it waits for the agent, in ms; null waits as long as it takes, absent as long as is usual. */
  patience_ms: z.number().int().nonnegative().nullable().optional(),
  /** Waits until no other turn of the session runs, also where the agent would take the text for later. */
  one_at_a_time: z.boolean().default(false),
  /** Type even though the agent is not ready. */
  now: z.boolean(),
  /** Interrupt a running turn first. */
  interrupt: z.boolean(),
  /** A beginning that the agent reads as a command is meant as one. */
  as_command: z.boolean(),
  /** The session that sent it; absent when a person did. */
  cause: SendCause.optional(),
  step: SendStep,
  /** The terminal that it was typed into. */
  pane: PaneIdentity.nullable().default(null),
  screen: SendScreen.nullable().default(null),
  enters: z.number().int().nonnegative().default(0),
  receipt: Receipt.nullable().default(null),
  /** What the agent's input showed of the text when the send was over, and nothing else with it; null once none of it is left there. */
  left: z.string().nullable().default(null),
});
export type SendEntry = z.infer<typeof SendEntry>;
