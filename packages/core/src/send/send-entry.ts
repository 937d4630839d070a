import * as z from "zod";
import { SendCause } from "../grant/grant.js";
import { SessionId } from "../id/ids.js";
import { PaneIdentity } from "../session/record.js";
import { Timestamp } from "../time/timestamp.js";
import { Receipt } from "./receipt.js";

/**
 * The furthest step that a delivery may have reached; written before the step. `pasting`: the text may be in the input, Enter was not
 * pressed;
 * `entering`: Enter may have been pressed; `done`: its receipt is final.
 */
export const SendStep = z.enum(["accepted", "pasting", "entering", "done"]);
export type SendStep = z.infer<typeof SendStep>;

/** The screen before or with the text, for comparison with later ones. */
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

/** An accepted send, stored with its text while that is needed, and then for its key. */
export const SendEntry = z.object({
  schema_version: z.literal(1).default(1),
  id: SessionId,
  session_id: SessionId,
  /** The client's own, unique for the session; null without one. */
  key: z.string().nullable(),
  /** SHA-256 of the text, in hexadecimal. */
  digest: z.string(),
  /** Digest of the request, for a text composed of it and of comments or uploads, which may change. */
  asked: z.string().optional(),
  /** Ids of the comments that the text begins with. */
  comments: z.array(z.string()).optional(),
  bytes: z.number().int().nonnegative(),
  accepted_at: Timestamp,
  updated_at: Timestamp,
  /** Continues without its caller, also after a restart. */
  background: z.boolean(),
  /** How long it waits for the agent, in ms; null waits without limit, undefined uses the default. */
  patience_ms: z.number().int().nonnegative().nullable().optional(),
  /** Waits until no other turn of the session runs, even if the agent would queue the text. */
  one_at_a_time: z.boolean().default(false),
  /** Types even though the agent is not ready. */
  now: z.boolean(),
  /** Interrupts a running turn first. */
  interrupt: z.boolean(),
  /** Sends a text that the agent reads as a command, as one. */
  as_command: z.boolean(),
  /** The session that sent it; undefined for a user. */
  cause: SendCause.optional(),
  step: SendStep,
  /** The terminal that it was typed into. */
  pane: PaneIdentity.nullable().default(null),
  screen: SendScreen.nullable().default(null),
  enters: z.number().int().nonnegative().default(0),
  receipt: Receipt.nullable().default(null),
  /** The part of the text in the agent's input at the end of the send, if nothing else was there; null once it is gone. */
  left: z.string().nullable().default(null),
});
export type SendEntry = z.infer<typeof SendEntry>;
