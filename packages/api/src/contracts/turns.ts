import { SEND_REASONS, type SendReason, Slug, Turn, TurnState } from "@tmpm/core";
import * as z from "zod";
import { type Contract, count, flag, none, session } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";

const reasons = Object.keys(SEND_REASONS) as [SendReason, ...SendReason[]];

/** A turn in its current state. */
export const TurnAnswer = z.object({
  ...Turn.shape,
  state: z
    .enum([...TurnState.options, "waiting_approval"])
    .describe("`waiting_approval`: it runs, and the agent is waiting for a decision."),
  decision_id: z.string().nullable().describe("Id of the pending decision; null when there is none."),
  position: z.number().int().positive().nullable().describe("Position in the queue, from 1; null when it is not queued."),
  held: z
    .object({ reason: z.enum(reasons), evidence: z.array(z.string()), hint: z.string().nullable() })
    .nullable()
    .describe("What it is waiting for; null when it is not queued."),
});
export type TurnAnswer = z.infer<typeof TurnAnswer>;

export const TurnList = z.object({
  turns: z.array(TurnAnswer),
  next: z.number().int().positive().nullable().describe("`from` of the next page; null at the end."),
});
export type TurnList = z.infer<typeof TurnList>;

export const QueueAnswer = z.object({
  running: z.array(TurnAnswer).describe("Turns running or being typed."),
  waiting: z.array(TurnAnswer).describe("Queued turns, next first."),
  depth: z.number().int().nonnegative().describe("Number of queued turns, plus one for a running one."),
  limit: z.number().int().positive().describe("Depth at which further prompts are refused."),
});
export type QueueAnswer = z.infer<typeof QueueAnswer>;

export const SubmitBody = z.strictObject({
  prompt: z.string(),
  queue: z.boolean().optional().describe("Wait in the queue indefinitely; by default 30 seconds, or `timeout_ms`."),
  timeout_ms: z.number().int().min(0).max(86_400_000).optional().describe("Maximum time in the queue, in ms."),
  attachments: z.array(z.string()).max(100).optional().describe("Uploads of the session by their `ref_id`; the prompt then names them."),
  as_command: z.boolean().optional().describe("A prefix that the agent reads as a command (`/`, `!`) is intended."),
  idempotency_key: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Reusing the key with the same prompt within a day refers to the same turn."),
});
export type SubmitBody = z.input<typeof SubmitBody>;

export const CancelBody = z.strictObject({
  turn: z.string().min(1).optional().describe("Its id, a prefix of it, or its key; the running turn by default."),
  client: Slug.optional().describe(
    "The client that requests it; refused for another client's session. A token acts for the client of its name.",
  ),
  grace_ms: z.number().int().min(0).max(600_000).optional().describe("Grace period for the agent to stop, in ms."),
});

export const MoveBody = z
  .strictObject({
    to: z.enum(["front", "back"]).optional(),
    position: z.number().int().min(1).optional().describe("From 1."),
    before: z.string().min(1).optional().describe("Another queued turn."),
    after: z.string().min(1).optional().describe("Another queued turn."),
  })
  .refine((body) => Object.values(body).filter((value) => value !== undefined).length === 1, "give one of to, position, before and after");

const turn = session.extend({ turn: z.string().min(1).describe("A turn's id, a prefix of it, or its key.") });

const EXAMPLE_TURN: TurnAnswer = {
  schema_version: 1,
  id: "6d1f3c5a-7a52-4b8e-9c0d-1e2f3a4b5c6d",
  session_id: EXAMPLE_SESSION.id,
  project_id: "default",
  generation: 7,
  state: "ended",
  one_at_a_time: true,
  place: 7,
  key: "job-17",
  prompt: "Run the tests",
  prompt_bytes: 13,
  prompt_digest: "0f0a2f4b1a3c5d7e9f0a2f4b1a3c5d7e9f0a2f4b1a3c5d7e9f0a2f4b1a3c5d7e",
  attachments: [],
  accepted_at: "2026-01-02T03:04:05Z",
  started_at: "2026-01-02T03:04:06Z",
  ended_at: "2026-01-02T03:05:00Z",
  outcome: "completed",
  cause: null,
  reason: "ready",
  code: null,
  confirmed: null,
  final_message: "All 12 tests pass.",
  note: null,
  tokens: 18_204,
  receipt: null,
  decision_id: null,
  position: null,
  held: null,
};

const EXAMPLE_WAITING: TurnAnswer = {
  ...EXAMPLE_TURN,
  state: "queued",
  started_at: null,
  ended_at: null,
  outcome: null,
  reason: null,
  final_message: null,
  tokens: null,
  position: 1,
};

const EXAMPLE_QUEUE: QueueAnswer = { running: [], waiting: [EXAMPLE_WAITING], depth: 1, limit: 32 };

export const TURN_ROUTES = {
  submit: {
    method: "POST",
    path: "/v1/sessions/:session/turns",
    scope: "operator",
    acting: "send",
    summary: "Accepts a prompt as a turn, and tracks it to exactly one outcome",
    description:
      "Typed once no other turn of the session is running and the agent is ready. Ask for its outcome with `GET …/turns/ID?wait_ms=60000`, or wait for the event `turn_ended`. `QUEUE_FULL` has the refused turn in `details.turn`. See `docs/turns.md`.",
    params: session,
    query: none,
    body: SubmitBody,
    status: 202,
    answer: TurnAnswer,
    errors: [
      "GRANT_REFUSED",
      "RIGHTS_EXCEEDED",
      "LINEAGE_LIMIT",
      "CAUSATION_REFUSED",
      "INVALID_STATE",
      "QUEUE_FULL",
      "INVALID_TEXT",
      "UPLOAD_NOT_FOUND",
      "IDEMPOTENCY_MISMATCH",
    ],
    example: { params: { session: "demo" }, body: { prompt: "Run the tests", idempotency_key: "job-17" }, answer: EXAMPLE_WAITING },
  },
  turns: {
    method: "GET",
    path: "/v1/sessions/:session/turns",
    scope: "observer",
    acting: "read",
    summary: "The turns of a session, oldest first",
    description: "By default the newest; a slice beyond the end is empty. The last 200 finished turns are kept.",
    params: session,
    query: z.strictObject({
      from: count(1, Number.MAX_SAFE_INTEGER).optional().describe("First `generation` to return."),
      limit: count(0, 1000).default(20).describe("Maximum number."),
    }),
    body: null,
    status: 200,
    answer: TurnList,
    errors: [],
    example: { params: { session: "demo" }, query: { limit: "1" }, answer: { turns: [EXAMPLE_TURN], next: null } },
  },
  turn: {
    method: "GET",
    path: "/v1/sessions/:session/turns/:turn",
    scope: "observer",
    acting: "read",
    summary: "One turn, or its outcome once there is one",
    description: "With `wait_ms` the response is sent when the turn ends, or with its state at that time when the wait is over.",
    params: turn,
    query: z.strictObject({ wait_ms: count(0, 600_000).optional() }),
    body: null,
    status: 200,
    answer: TurnAnswer,
    waits: true,
    errors: ["TURN_NOT_FOUND"],
    example: { params: { session: "demo", turn: "job-17" }, query: { wait_ms: "60000" }, answer: EXAMPLE_TURN },
  },
  cancel: {
    method: "POST",
    path: "/v1/sessions/:session/cancel",
    scope: "operator",
    summary: "Cancels the running or given turn, and returns its outcome",
    description:
      "A queued turn is cancelled at once; a running agent is interrupted with its own keys and given `grace_ms` (5 s) to stop. `confirmed` states whether it was seen to stop.",
    params: session,
    query: none,
    body: CancelBody,
    status: 200,
    answer: TurnAnswer,
    waits: true,
    errors: ["TURN_NOT_ACTIVE", "TURN_NOT_FOUND", "PANE_IN_MODE", ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    example: {
      params: { session: "demo" },
      body: {},
      answer: { ...EXAMPLE_TURN, outcome: "cancelled", cause: "client_rpc", reason: "interrupted", confirmed: true, final_message: null },
    },
  },
  cancelTurn: {
    method: "DELETE",
    path: "/v1/sessions/:session/turns/:turn",
    scope: "operator",
    summary: "Cancels this turn, whether it waits or runs",
    params: turn,
    query: z.strictObject({ waiting: flag.optional().describe("Only while it is queued; a running turn is refused.") }),
    body: null,
    status: 200,
    answer: TurnAnswer,
    errors: ["INVALID_STATE", "TURN_NOT_ACTIVE", "TURN_NOT_FOUND", "PANE_IN_MODE", ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    example: {
      params: { session: "demo", turn: "job-17" },
      answer: { ...EXAMPLE_TURN, outcome: "cancelled", cause: "client_rpc", reason: "taken_back", started_at: null, final_message: null },
    },
  },
  queue: {
    method: "GET",
    path: "/v1/sessions/:session/queue",
    scope: "observer",
    summary: "A session's running and queued turns",
    params: session,
    query: none,
    body: null,
    status: 200,
    answer: QueueAnswer,
    errors: [],
    example: { params: { session: "demo" }, answer: EXAMPLE_QUEUE },
  },
  moveTurn: {
    method: "POST",
    path: "/v1/sessions/:session/queue/:turn/move",
    scope: "operator",
    summary: "Moves a queued turn",
    params: turn,
    query: none,
    body: MoveBody,
    status: 200,
    answer: QueueAnswer,
    errors: ["INVALID_STATE", "TURN_NOT_FOUND"],
    example: { params: { session: "demo", turn: "job-17" }, body: { to: "front" }, answer: EXAMPLE_QUEUE },
  },
  clearQueue: {
    method: "DELETE",
    path: "/v1/sessions/:session/queue",
    scope: "operator",
    summary: "Cancels all queued turns; the running one continues",
    params: session,
    query: none,
    body: null,
    status: 200,
    answer: z.object({ cleared: z.array(TurnAnswer) }),
    errors: [],
    example: {
      params: { session: "demo" },
      answer: { cleared: [{ ...EXAMPLE_TURN, outcome: "cancelled", cause: "client_rpc", reason: "taken_back", started_at: null }] },
    },
  },
} as const satisfies Record<string, Contract>;
