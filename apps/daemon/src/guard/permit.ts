import { covers, type RouteName, type Scope } from "@tmpm/api";
import { TmpmError, UUID_PATTERN } from "@tmpm/core";
import { unauthenticated } from "./authenticate.js";
import { type Caller, scopeOf } from "./caller.js";

/** Requirements of a route or a stream frame. */
export interface Wanted {
  /** The contract's; null without a route, which is disclosed only to admitted callers. */
  readonly scope: Scope | null;
  /** Also open to the token of the session that the path names. */
  readonly own?: boolean | undefined;
  /** Also open to a session that identifies itself with its token; the supervisor decides what it may do there. */
  readonly acting?: boolean | undefined;
  /** The session named in the path; null without one. */
  readonly session?: string | null | undefined;
  /** For the audit log: the route, and the resource in its path. */
  readonly route?: RouteName | null;
  readonly target?: string | null;
}

export interface PermitOptions {
  readonly wanted: Wanted;
  readonly failed: (peer: string, message: string) => TmpmError;
  readonly opensSession: (sessionId: string, secret: string) => Promise<boolean>;
}

/** Why the caller is refused; null when allowed. */
export async function permit(caller: Caller, { wanted, failed, opensSession }: PermitOptions): Promise<TmpmError | null> {
  const { scope, own = false, acting = false, session = null } = wanted;
  if ((scope === "anyone") !== (caller.kind === "anyone"))
    return scope === "anyone" ? notAtTheDoor() : unauthenticated("a token is required");
  if (scope === "anyone" || caller.kind === "anyone") return null;
  // Its operation accepts the launch token only, and counts refusals for `tmpm doctor`.
  if (scope === "session") return null;
  if (caller.kind !== "session") return covered(caller, scope);
  if (caller.session !== null) {
    if (!(await opensSession(caller.session, caller.secret))) return failed(caller.peer, "the token is unknown or has expired");
    return acting || (own && session === caller.session) ? null : notForSessions();
  }
  if (session !== null && UUID_PATTERN.test(session) && (await opensSession(session, caller.secret))) {
    return own ? null : notForSessions();
  }
  return failed(caller.peer, "the token is unknown or has expired");
}

function notForSessions(): TmpmError {
  return new TmpmError("SCOPE_REFUSED", "a session's own token does not allow this");
}

function notAtTheDoor(): TmpmError {
  return new TmpmError("SCOPE_REFUSED", "a code is accepted only from the daemon's own pages, over TCP and without a token");
}

function covered(caller: Caller, scope: Exclude<Scope, "anyone" | "session"> | null): TmpmError | null {
  const has = scopeOf(caller);
  if (scope === null || (has !== null && covers(has, scope))) return null;
  return new TmpmError("SCOPE_REFUSED", `this requires the scope ${scope}, but the token has ${has ?? "none"}`, {
    hint: `Create a token for it with \`tmpm token create --scope ${scope}\`.`,
    details: { needed: scope, scope: has },
  });
}
