import { covers, type TokenScope } from "@tmpm/api";
import type { Token } from "../tokens/token.js";

/**
 * Who asks. `owner`: this machine's user, on the socket without a token. `token`: by a token in a header. `login`: by the cookie of a browser.
 * `session`: by what may be the token of a session's launch, which `permit` or the operation proves; `session` is the one that it says it is of. `anyone`: nobody, where a route allows it.
 */
export type Caller =
  | { readonly kind: "owner" | "anyone"; readonly peer: string }
  | { readonly kind: "token" | "login"; readonly peer: string; readonly token: Token }
  | { readonly kind: "session"; readonly peer: string; readonly secret: string; readonly session: string | null };

/** Who it is, for what is kept of its requests. */
export function nameOf(caller: Caller): string {
  if (caller.kind === "session" && caller.session !== null) return `session ${caller.session}`;
  return caller.kind === "token" || caller.kind === "login" ? `token ${caller.token.id}` : caller.kind;
}

/** The session that acts by itself; null for everybody else. Only of a caller that `permit` let in. */
export function actorOf(caller: Caller): string | null {
  return caller.kind === "session" ? caller.session : null;
}

/** The client that a caller speaks for; null for one that speaks for all. */
export function clientOf(caller: Caller): string | null {
  return (caller.kind === "token" || caller.kind === "login") && caller.token.scope !== "admin" ? caller.token.name : null;
}

/** The scope that is proven already; null for callers that have none. */
export function scopeOf(caller: Caller): TokenScope | null {
  if (caller.kind === "owner") return "admin";
  return caller.kind === "token" || caller.kind === "login" ? caller.token.scope : null;
}

/** Whether the caller may do what needs this scope: for single frames of a stream, say. */
export function may(caller: Caller, needed: TokenScope): boolean {
  const scope = scopeOf(caller);
  return scope !== null && covers(scope, needed);
}
