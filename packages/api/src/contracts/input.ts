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
    .describe("`ref_id`s of the session's uploads, which are appended to the text, one per line. With uploads the text may be empty."),
  comments: z.boolean().optional().describe("Send the open review comments before the text, which may then be empty."),
  now: z.boolean().optional().describe("Type even if the session is not ready; the arrival of the text may then remain unconfirmed."),
  no_wait: z
    .boolean()
    .optional()
    .describe(
      "Respond at once with the id of the send, and deliver it in the background. It waits indefinitely unless `timeout_ms` is given.",
    ),
  queue: z.boolean().optional().describe("Wait in the background, indefinitely, until the session is ready."),
  timeout_ms: z.number().int().min(0).max(86_400_000).optional().describe("Maximum wait for the session to become ready, in ms."),
  interrupt: z.boolean().optional().describe("Interrupt a running turn first."),
  as_command: z.boolean().optional().describe("A prefix that the agent reads as a command (`/`, `!`) is intended."),
  idempotency_key: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Reusing the key with the same text within a day refers to the same send."),
});
export type SendBody = z.input<typeof SendBody>;

export const SendAnswer = z.object({ receipt: Receipt, session: SessionAnswer });
export type SendAnswer = z.infer<typeof SendAnswer>;

/** A stored send: kept until its receipt is final, and for a day after that. */
export const KeptSend = z.object({
  id: z.string(),
  session_id: z.string(),
  idempotency_key: z.string().nullable(),
  accepted_at: Timestamp,
  done: z.boolean().describe("Whether its receipt is final."),
  receipt: Receipt,
});
export type KeptSend = z.infer<typeof KeptSend>;

export const SendList = z.object({ sends: z.array(KeptSend), next });
export type SendList = z.infer<typeof SendList>;

export const KeysBody = z.strictObject({ keys: z.array(z.string()).min(1).max(1000) });

/** `send` is the id of a send, a prefix of it, or its key. */
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
    method: "POST",
    path: "/v1/sessions/:session/send",
    scope: "operator",
    acting: "send",
    summary: "Sends text to a session and returns a receipt",
    description:
      "The receipt's `outcome` states what was observed; only `submitted` confirms that execution began. If the caller disconnects before typing starts, the send is cancelled unless it has a key. See `docs/sending.md`.",
    params: session,
    query: none,
    body: SendBody,
    waits: true,
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
    method: "GET",
    path: "/v1/sessions/:session/sends",
    scope: "observer",
    acting: "read",
    summary: "A session's pending sends and those of the last day, newest first",
    params: session,
    query: z.strictObject(paging),
    body: null,
    status: 200,
    answer: SendList,
    errors: [],
    example: { params: { session: "demo" }, answer: { sends: [EXAMPLE_SEND], next: null } },
  },
  receipt: {
    method: "GET",
    path: "/v1/sessions/:session/sends/:send",
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
    method: "DELETE",
    path: "/v1/sessions/:session/sends/:send",
    scope: "operator",
    summary: "Cancels a send before typing starts",
    description: "The receipt shows whether that was in time.",
    params: send,
    query: none,
    body: null,
    status: 200,
    answer: KeptSend,
    errors: ["SEND_NOT_FOUND"],
    example: { params: { session: "demo", send: "job-17" }, answer: EXAMPLE_SEND },
  },
  keys: {
    method: "POST",
    path: "/v1/sessions/:session/keys",
    scope: "operator",
    summary: "Presses keys, by their tmux names",
    params: session,
    query: none,
    body: KeysBody,
    status: 200,
    answer: SessionAnswer,
    errors: ["INVALID_STATE", ...MAY_FAIL.TYPING, ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    example: { params: { session: "demo" }, body: { keys: ["C-c", "Enter"] }, answer: EXAMPLE_SESSION },
  },
} as const satisfies Record<string, Contract>;
