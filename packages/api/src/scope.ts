/** What a token is good for, from most to least. */
export const TOKEN_SCOPES = ["admin", "operator", "observer"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/**
 * What a route asks of its caller. `observer` reads, `operator` changes sessions, `admin` changes the daemon: each may do what the next one may.
 * `session` speaks for one session, with the token of its launch, which the operation checks. `anyone` needs no token: it is how one gets in.
 */
export type Scope = TokenScope | "session" | "anyone";

/** Whether a token of one scope may do what another is needed for. */
export function covers(scope: TokenScope, needed: TokenScope): boolean {
  return TOKEN_SCOPES.indexOf(scope) <= TOKEN_SCOPES.indexOf(needed);
}
