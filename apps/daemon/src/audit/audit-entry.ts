import type { ErrorCode, Timestamp } from "@tmpm/core";
import type { z } from "zod";

/** The caller: its kind, its address, and its token if any. Never a secret. */
export interface AuditedCaller {
  readonly kind: "owner" | "token" | "login" | "session" | "anyone" | "unknown";
  /** `socket`, or an IP address. */
  readonly peer: string;
  readonly scope: string | null;
  readonly token: string | null;
  readonly token_id: string | null;
  /** The id of a session that acts on its own. */
  readonly session?: string;
}

interface Asked {
  readonly request_id: string;
  readonly caller: AuditedCaller;
  readonly method: string;
  /** The route's name; null without one. */
  readonly route: string | null;
  /** The resource named in the path, verbatim: a session, a token, a project. */
  readonly target: string | null;
}

/**
 * The kinds of entries. `opened`: a daemon began to write. `request`: a change is about to be made. `outcome`: its result.
 * `refused`: a caller was not admitted or not authorized. `more_refused`: a count of further refusals. `lost`: entries that could
 * not be written.
 */
export type AuditBody =
  | { readonly kind: "opened"; readonly version: string; readonly pid: number }
  | ({ readonly kind: "request" } & Asked)
  | { readonly kind: "outcome"; readonly request_id: string; readonly status: number; readonly code: ErrorCode | null }
  | ({ readonly kind: "refused"; readonly code: ErrorCode } & Asked)
  | { readonly kind: "more_refused"; readonly count: number }
  | { readonly kind: "lost"; readonly count: number };

/** With its place in the chain. `torn` marks the first after a line that was cut off. */
export type AuditEntry = AuditBody & { readonly seq: number; readonly at: z.infer<typeof Timestamp>; readonly torn?: true };
