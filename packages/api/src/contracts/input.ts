import { Receipt } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, session } from "./contract.js";
import { SessionAnswer } from "./session.js";

export const SendBody = z.strictObject({
  text: z.string(),
  /** Type even though the session is not ready; then nothing may show that the text arrived. */
  now: z.boolean().optional(),
});
export type SendBody = z.input<typeof SendBody>;

export const SendAnswer = z.object({ receipt: Receipt, session: SessionAnswer });
export type SendAnswer = z.infer<typeof SendAnswer>;

export const KeysBody = z.strictObject({ keys: z.array(z.string()).min(1).max(1000) });

export const INPUT_ROUTES = {
  send: { scope: "operator", params: session, query: none, body: SendBody, status: 200, answer: SendAnswer },
  keys: { scope: "operator", params: session, query: none, body: KeysBody, status: 200, answer: SessionAnswer },
} as const satisfies Record<string, Contract>;
