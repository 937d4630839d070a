import { SessionId, Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, count, none } from "./contract.js";
import { ErrorEnvelope } from "./error.js";
import { EXAMPLE_SESSION } from "./example-session.js";
import { anyOf, next, paging } from "./paging.js";

const OperationState = z.enum(["running", "done", "failed"]);

/** A request that continues in the background, because it was sent with `Prefer: respond-async`. */
export const OperationAnswer = z.object({
  id: z.uuid(),
  route: z.string().describe("Name of the requested route."),
  session_id: SessionId.nullable().describe("Session that it belongs to; null for none."),
  state: OperationState,
  started_at: Timestamp,
  ended_at: Timestamp.nullable(),
  progress: z.string().nullable().describe("Current progress, as text; null when there is nothing to report."),
  result: z.unknown().describe("The route's response; null until it is done."),
  error: ErrorEnvelope.shape.error.nullable(),
});
export type OperationAnswer = z.infer<typeof OperationAnswer>;

export const OperationList = z.object({ operations: z.array(OperationAnswer), next });
export type OperationList = z.infer<typeof OperationList>;

const EXAMPLE: OperationAnswer = {
  id: "5a1f6a52-3a3e-4a56-9f0c-3f5f3a3d6f10",
  route: "create",
  session_id: EXAMPLE_SESSION.id,
  state: "running",
  started_at: "2026-01-02T03:04:05Z",
  ended_at: null,
  progress: "Making its workspace: cloning 40 %",
  result: null,
  error: null,
};

export const OPERATION_ROUTES = {
  operations: {
    method: "GET",
    path: "/v1/operations",
    scope: "observer",
    summary: "Operations running in the background, and those that ended within the last day, newest first",
    params: none,
    query: z.strictObject({ state: anyOf(OperationState), ...paging }),
    body: null,
    status: 200,
    answer: OperationList,
    errors: [],
    example: { query: { state: "running" }, answer: { operations: [EXAMPLE], next: null } },
  },
  operation: {
    method: "GET",
    path: "/v1/operations/:operation",
    scope: "observer",
    summary: "The result of a background request",
    description: "Kept for a day after it ends. An operation interrupted by the daemon's end is `failed` with `REQUEST_INTERRUPTED`.",
    params: z.object({ operation: z.string().min(1).max(100) }),
    query: z.strictObject({ wait_ms: count(0, 60_000).optional().describe("Maximum wait for its end, in ms.") }),
    body: null,
    status: 200,
    answer: OperationAnswer,
    waits: true,
    errors: ["OPERATION_NOT_FOUND"],
    example: { params: { operation: EXAMPLE.id }, query: { wait_ms: "20000" }, answer: EXAMPLE },
  },
} as const satisfies Record<string, Contract>;
