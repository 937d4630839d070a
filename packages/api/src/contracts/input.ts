import { Receipt, Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, session } from "./contract.js";
import { SessionAnswer } from "./session.js";

export const SendBody = z.strictObject({
  text: z.string(),
  /** Type even though the session is not ready; then nothing may show that the text arrived. */
  now: z.boolean().optional(),
  /** Answer at once with the id of the send, which is delivered in the background. */
  no_wait: z.boolean().optional(),
  /** Wait in the background for the session to be ready, as long as it takes. */
  queue: z.boolean().optional(),
  /** How long the session may take to be ready, in ms. */
  timeout_ms: z.number().int().min(0).max(86_400_000).optional(),
  /** Break off a running turn first. */
  interrupt: z.boolean().optional(),
  /** A beginning that the agent reads as a command (`/`, `!`) is meant as one. */
  as_command: z.boolean().optional(),
  /** The same key with the same text is the same send, for a day. */
  idempotency_key: z.string().min(1).max(200).optional(),
});
export type SendBody = z.input<typeof SendBody>;

export const SendAnswer = z.object({ receipt: Receipt, session: SessionAnswer });
export type SendAnswer = z.infer<typeof SendAnswer>;

/** A send that is kept: until its receipt stands, and for a day after that. */
export const KeptSend = z.object({
  id: z.string(),
  session_id: z.string(),
  idempotency_key: z.string().nullable(),
  accepted_at: Timestamp,
  /** Its receipt does not change any more. */
  done: z.boolean(),
  receipt: Receipt,
});
export type KeptSend = z.infer<typeof KeptSend>;

export const SendList = z.object({ sends: z.array(KeptSend), next: z.null() });
export type SendList = z.infer<typeof SendList>;

export const KeysBody = z.strictObject({ keys: z.array(z.string()).min(1).max(1000) });

/** `send` is the id of a send, its beginning, or its key. */
const send = session.extend({ send: z.string().min(1) });

export const INPUT_ROUTES = {
  send: { scope: "operator", params: session, query: none, body: SendBody, status: 200, answer: SendAnswer },
  sends: { scope: "observer", params: session, query: none, body: null, status: 200, answer: SendList },
  receipt: { scope: "observer", params: send, query: none, body: null, status: 200, answer: KeptSend },
  cancelSend: { scope: "operator", params: send, query: none, body: null, status: 200, answer: KeptSend },
  keys: { scope: "operator", params: session, query: none, body: KeysBody, status: 200, answer: SessionAnswer },
} as const satisfies Record<string, Contract>;
