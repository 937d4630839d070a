import { Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, count, none } from "./contract.js";

/** A line of the audit log; `docs/security.md` describes its content. */
export const AuditEntryAnswer = z.looseObject({ seq: z.number().int().positive(), at: Timestamp, kind: z.string() });
export type AuditEntryAnswer = z.infer<typeof AuditEntryAnswer>;

/** `damaged`: changed since it was written. `torn`: incomplete, as after a power failure during the write. */
export const AuditFinding = z.object({ file: z.string(), line: z.number().int(), kind: z.enum(["damaged", "torn"]), what: z.string() });
export type AuditFinding = z.infer<typeof AuditFinding>;

export const AuditAnswer = z.object({
  entries: z.array(AuditEntryAnswer).describe("The newest entries, oldest first."),
  checked: z.number().int().nonnegative().describe("Number of lines checked."),
  findings: z.array(AuditFinding),
  next: z.null(),
});
export type AuditAnswer = z.infer<typeof AuditAnswer>;

export const AUDIT_ROUTES = {
  audit: {
    method: "GET",
    path: "/v1/audit",
    scope: "admin",
    summary: "The end of the audit log, and whether its chain is intact",
    params: none,
    query: z.strictObject({ limit: count(0, 1000).default(50) }),
    body: null,
    status: 200,
    answer: AuditAnswer,
    errors: [],
    example: {
      query: { limit: "1" },
      answer: {
        entries: [{ seq: 7, at: "2026-01-02T03:04:05Z", kind: "request", route: "stop", session: "demo", request_id: "…" }],
        checked: 7,
        findings: [],
        next: null,
      },
    },
  },
} as const satisfies Record<string, Contract>;
