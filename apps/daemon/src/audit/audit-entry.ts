import type { ErrorCode, Timestamp } from "@tmpm/core";
import type { z } from "zod";

/** Who asked: a kind of caller, the address it came from, and its token where it has one. Never a secret. */
export interface AuditedCaller {
  readonly kind: "owner" | "token" | "login" | "session" | "anyone" | "unknown";
  /** `socket`, or an IP address. */
  readonly peer: string;
  readonly scope: string | null;
  readonly token: string | null;
  readonly token_id: string | null;
  /** The id of a session that acts by itself. */
  readonly session?: string;
}

interface Asked {
  readonly request_id: string;
  readonly caller: AuditedCaller;
  readonly method: string;
  /** The route's name; null when there is none. */
  readonly route: string | null;
  /** What the path names, as it was given: a session, a token, a project. */
  readonly target: string | null;
}

/**
 * What is written down. `opened`: a daemon began to write. `request`: something that changes anything is about to be done. `outcome`: what became of it.
 * `refused`: somebody was not let in, or may not do what it asked for. `more_refused`: so many of these that they are only counted. `lost`: entries that could
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
