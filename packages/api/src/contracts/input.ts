import { Receipt, Timestamp, UploadRef } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, session } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";
import { next, paging } from "./paging.js";
import { SessionAnswer } from "./session.js";

export const SendBody = z.strictObject({
  text: z.string(),
  attachments: z
    .array(UploadRef)
    .max(1000)
    .optional()
    .describe(
      "The `ref_id` of uploads of the session, which the text names behind its end, one in a line. With them the text may be empty.",
    ),
  comments: z.boolean().optional().describe("Send the open comments on what the session changed before the text, which may be empty then."),
  now: z.boolean().optional().describe("Type even though the session is not ready; then nothing may show that the text arrived."),
  no_wait: z
    .boolean()
    .optional()
    .describe(
      "Answer at once with the id of the send. It is delivered in the background, and waits as long as it takes unless `timeout_ms` is given.",
    ),
  queue: z.boolean().optional().describe("Wait in the background for the session to be ready, as long as it takes."),
  timeout_ms: z.number().int().min(0).max(86_400_000).optional().describe("How long the session may take to be ready, in ms."),
  interrupt: z.boolean().optional().describe("Break off a running turn first."),
  as_command: z.boolean().optional().describe("A beginning that the agent reads as a command (`/`, `!`) is meant as one."),
  idempotency_key: z.string().min(1).max(200).optional().describe("The same key with the same text is the same send, for a day."),
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
  done: z.boolean().describe("Its receipt does not change any more."),
  receipt: Receipt,
});
export type KeptSend = z.infer<typeof KeptSend>;

export const SendList = z.object({ sends: z.array(KeptSend), next });
export type SendList = z.infer<typeof SendList>;

export const KeysBody = z.strictObject({ keys: z.array(z.string()).min(1).max(1000) });

/** `send` is the id of a send, its beginning, or its key. */
const send = session.extend({ send: z.string().min(1) });

const EXAMPLE_RECEIPT: Receipt = {
  id: "6d1f3c5a-7a52-4b8e-9c0d-1e2f3a4b5c6d",
  outcome: "submitted",
  reason: "screen",
  bytes: 10,
  evidence: ["the text was on the screen, and is gone from the prompt"],
  altered: null,
  hint: null,
};

const EXAMPLE_SEND: KeptSend = {
  id: "6d1f3c5a-7a52-4b8e-9c0d-1e2f3a4b5c6d",
  session_id: EXAMPLE_SESSION.id,
  idempotency_key: "job-17",
  accepted_at: "2026-01-02T03:04:05Z",
  done: true,
  receipt: EXAMPLE_RECEIPT,
};

export const INPUT_ROUTES = {
  send: {
    scope: "operator",
    acting: "send",
    summary: "Sends text to a session and says what became of it",
    description:
      "The receipt's `outcome` says what was seen; only `submitted` was seen to go into execution. A caller that goes away takes its text back, as long as nothing is typed and it gave no key. See `docs/sending.md`.",
    params: session,
    query: none,
    body: SendBody,
    status: 200,
    answer: SendAnswer,
    errors: [
      "GRANT_REFUSED",
      "RIGHTS_EXCEEDED",
      "LINEAGE_LIMIT",
      "CAUSATION_REFUSED",
      "INVALID_STATE",
      "SESSION_BLOCKED",
      "NAME_TAKEN",
      "UPLOAD_NOT_FOUND",
      "COMMENT_NOT_FOUND",
      "UPLOAD_TOO_LARGE",
      ...MAY_FAIL.TYPING,
      ...MAY_FAIL.PANE,
      ...MAY_FAIL.TMUX,
    ],
    example: {
      params: { session: "demo" },
      body: { text: "echo hello", idempotency_key: "job-17" },
      answer: { receipt: EXAMPLE_RECEIPT, session: EXAMPLE_SESSION },
    },
  },
  sends: {
    scope: "observer",
    acting: "read",
    summary: "The sends of a session that wait, and those of the last day, newest first",
    params: session,
    query: z.strictObject(paging),
    body: null,
    status: 200,
    answer: SendList,
    errors: [],
    example: { params: { session: "demo" }, answer: { sends: [EXAMPLE_SEND], next: null } },
  },
  receipt: {
    scope: "observer",
    acting: "read",
    summary: "One send and its receipt",
    params: send,
    query: none,
    body: null,
    status: 200,
    answer: KeptSend,
    errors: ["SEND_NOT_FOUND"],
    example: { params: { session: "demo", send: "job-17" }, answer: EXAMPLE_SEND },
  },
  cancelSend: {
    scope: "operator",
    summary: "Cancels a send before typing starts",
    description: "The receipt says whether that was in time.",
    params: send,
    query: none,
    body: null,
    status: 200,
    answer: KeptSend,
    errors: ["SEND_NOT_FOUND"],
    example: { params: { session: "demo", send: "job-17" }, answer: EXAMPLE_SEND },
  },
  keys: {
    scope: "operator",
    summary: "Presses keys by tmux's names",
    params: session,
    query: none,
    body: KeysBody,
    status: 200,
    answer: SessionAnswer,
    errors: ["INVALID_STATE", ...MAY_FAIL.TYPING, ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    example: { params: { session: "demo" }, body: { keys: ["C-c", "Enter"] }, answer: EXAMPLE_SESSION },
  },
} as const satisfies Record<string, Contract>;
