/** Scopes of tokens, from most to least rights. */
export const TOKEN_SCOPES = ["admin", "operator", "observer"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/**
 * The scope that a route requires. `observer` reads, `operator` changes sessions, `admin` changes the daemon: each includes the previous one.
 * `session` acts for one session, with the token of its launch, which the operation checks. `anyone` needs no token: it is for logging in.
 */
export type Scope = TokenScope | "session" | "anyone";

/** Whether a token of one scope has the rights of another. */
export function covers(scope: TokenScope, needed: TokenScope): boolean {
  return TOKEN_SCOPES.indexOf(scope) <= TOKEN_SCOPES.indexOf(needed);
}
