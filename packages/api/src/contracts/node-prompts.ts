import { Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, repeated } from "./contract.js";

const HOUR_MS = 3_600_000;
/** Well within the day for which the node keeps an idempotency key, so that a retry never acts twice. */
const MOST_EXPIRES_MS = 12 * HOUR_MS;

/** A prompt for a session of another machine, which is sent once that machine answers. */
export const NodePrompt = z.object({
  id: z.uuid(),
  node: z.string().describe("The node's label."),
  session: z.string().describe("As given; the node resolves it."),
  prompt: z.string(),
  key: z.string().describe("Idempotency key of the turn on the node."),
  created_at: Timestamp,
  expires_at: Timestamp,
  state: z
    .enum(["waiting", "sending", "sent", "failed", "expired", "cancelled", "unknown"])
    .describe(
      "`sending`: the response to an attempt is missing, and the same key is tried again; `unknown`: it stayed missing, and the prompt expired, was cancelled or was refused since, or another machine answered.",
    ),
  turn: z.string().nullable().describe("Id of its turn on the node; null until it was sent."),
  reason: z.string().nullable().describe("Why it failed, or was not sent yet."),
  ended_at: Timestamp.nullable(),
});
export type NodePrompt = z.infer<typeof NodePrompt>;

export const NodePromptList = z.object({ prompts: z.array(NodePrompt), next: z.null() });
export type NodePromptList = z.infer<typeof NodePromptList>;

const EXAMPLE: NodePrompt = {
  id: "0b6f3c5a-7a52-4b8e-9c0d-1e2f3a4b5c6d",
  node: "build1",
  session: "api",
  prompt: "Run the tests",
  key: "0b6f3c5a-7a52-4b8e-9c0d-1e2f3a4b5c6d",
  created_at: "2026-01-02T03:04:05Z",
  expires_at: "2026-01-02T04:04:05Z",
  state: "waiting",
  turn: null,
  reason: null,
  ended_at: null,
};

export const NODE_PROMPT_ROUTES = {
  addNodePrompt: {
    method: "POST",
    path: "/v1/nodes/:node/prompts",
    scope: "admin",
    summary: "Sends a prompt to a session of another machine once that machine answers",
    description:
      "It is queued as a turn there, once: every attempt has the same idempotency key. Prompts for one node are sent in order. A node that answers gets it at once.",
    params: z.object({ node: z.string().min(1).max(100).describe("A node's label.") }),
    query: none,
    body: z.strictObject({
      session: z.string().min(1).max(200),
      prompt: z.string().min(1),
      expires_ms: z.number().int().min(1_000).max(MOST_EXPIRES_MS).optional().describe("An hour by default."),
      idempotency_key: z.string().min(1).max(200).optional(),
    }),
    status: 201,
    answer: NodePrompt,
    waits: true,
    errors: ["NODE_NOT_FOUND", "NODE_OFFLINE", "IDEMPOTENCY_MISMATCH", "QUEUE_FULL"],
    example: { params: { node: "build1" }, body: { session: "api", prompt: "Run the tests", expires_ms: HOUR_MS }, answer: EXAMPLE },
  },
  nodePrompts: {
    method: "GET",
    path: "/v1/node-prompts",
    scope: "observer",
    summary: "The prompts that wait for other machines, and those of the last day",
    params: none,
    query: z.strictObject({ node: repeated(z.string().min(1).max(100)).describe("Only those for these nodes.") }),
    body: null,
    status: 200,
    answer: NodePromptList,
    errors: ["NODE_NOT_FOUND"],
    example: { answer: { prompts: [EXAMPLE], next: null } },
  },
  cancelNodePrompt: {
    method: "DELETE",
    path: "/v1/node-prompts/:prompt",
    scope: "admin",
    summary: "Cancels a prompt that waits for another machine",
    description: "One whose sending has begun is not cancelled: it may have arrived.",
    params: z.object({ prompt: z.string().min(1).max(200).describe("Its id, or a prefix of it.") }),
    query: none,
    body: null,
    status: 200,
    answer: NodePrompt,
    errors: ["SEND_NOT_FOUND", "INVALID_STATE"],
    example: { params: { prompt: EXAMPLE.id }, answer: { ...EXAMPLE, state: "cancelled", ended_at: "2026-01-02T03:10:00Z" } },
  },
} as const satisfies Record<string, Contract>;
