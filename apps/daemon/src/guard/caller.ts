import { covers, type TokenScope } from "@tmpm/api";
import type { Token } from "../tokens/token.js";

/**
 * The caller. `owner`: this machine's user, on the socket without a token. `token`: by a token in a header. `login`: by a browser's cookie.
 * `session`: by a possible launch token, which `permit` or the operation verifies; `session` is the claimed id. `anyone`: anonymous, if a route allows
 * that.
 */
export type Caller =
  | { readonly kind: "owner" | "anyone"; readonly peer: string }
  | { readonly kind: "token" | "login"; readonly peer: string; readonly token: Token }
  | { readonly kind: "session"; readonly peer: string; readonly secret: string; readonly session: string | null };

/** The caller's identity in stored requests. */
export function nameOf(caller: Caller): string {
  if (caller.kind === "session" && caller.session !== null) return `session ${caller.session}`;
  return caller.kind === "token" || caller.kind === "login" ? `token ${caller.token.id}` : caller.kind;
}

/** The session acting on its own; null for all other callers. Only for a caller that `permit` admitted. */
export function actorOf(caller: Caller): string | null {
  return caller.kind === "session" ? caller.session : null;
}

/** The client that a caller represents; null for one that represents all. */
export function clientOf(caller: Caller): string | null {
  return (caller.kind === "token" || caller.kind === "login") && caller.token.scope !== "admin" ? caller.token.name : null;
}

/** The proven scope; null for callers without one. */
export function scopeOf(caller: Caller): TokenScope | null {
  if (caller.kind === "owner") return "admin";
  return caller.kind === "token" || caller.kind === "login" ? caller.token.scope : null;
}

/** Whether the caller has this scope, for example for single frames of a stream. */
export function may(caller: Caller, needed: TokenScope): boolean {
  const scope = scopeOf(caller);
  return scope !== null && covers(scope, needed);
}
