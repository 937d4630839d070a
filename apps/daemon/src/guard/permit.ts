import { covers, type RouteName, type Scope } from "@tmpm/api";
import { TmpmError, UUID_PATTERN } from "@tmpm/core";
import { unauthenticated } from "./authenticate.js";
import { type Caller, scopeOf } from "./caller.js";

/** What a route, or a frame of a stream, needs. */
export interface Wanted {
  /** The contract's; null where there is no route, which only those hear who may ask at all. */
  readonly scope: Scope | null;
  /** Also open to the token of the session that the path names. */
  readonly own?: boolean | undefined;
  /** Also open to a session that says which it is, and shows its token; what it may do there, the supervisor says. */
  readonly acting?: boolean | undefined;
  /** The session that the path names; null when it names none. */
  readonly session?: string | null | undefined;
  /** For the audit log: the route, and what its path names. */
  readonly route?: RouteName | null;
  readonly target?: string | null;
}

export interface PermitOptions {
  readonly wanted: Wanted;
  readonly failed: (peer: string, message: string) => TmpmError;
  readonly opensSession: (sessionId: string, secret: string) => Promise<boolean>;
}

/** Why the caller may not do this; null when it may. */
export async function permit(caller: Caller, { wanted, failed, opensSession }: PermitOptions): Promise<TmpmError | null> {
  const { scope, own = false, acting = false, session = null } = wanted;
  if ((scope === "anyone") !== (caller.kind === "anyone"))
    return scope === "anyone" ? notAtTheDoor() : unauthenticated("a token is needed");
  if (scope === "anyone" || caller.kind === "anyone") return null;
  // Its operation takes the token of the launch only, and counts for `tmpm doctor` what it refuses.
  if (scope === "session") return null;
  if (caller.kind !== "session") return covered(caller, scope);
  if (caller.session !== null) {
    if (!(await opensSession(caller.session, caller.secret))) return failed(caller.peer, "the token is not known, or has expired");
    return acting || (own && session === caller.session) ? null : notForSessions();
  }
  if (session !== null && UUID_PATTERN.test(session) && (await opensSession(session, caller.secret))) {
    return own ? null : notForSessions();
  }
  return failed(caller.peer, "the token is not known, or has expired");
}

function notForSessions(): TmpmError {
  return new TmpmError("SCOPE_REFUSED", "a session's own token does not allow this");
}

function notAtTheDoor(): TmpmError {
  return new TmpmError("SCOPE_REFUSED", "a code is taken from pages of the daemon only, over TCP and without a token");
}

function covered(caller: Caller, scope: Exclude<Scope, "anyone" | "session"> | null): TmpmError | null {
  const has = scopeOf(caller);
  if (scope === null || (has !== null && covers(has, scope))) return null;
  return new TmpmError("SCOPE_REFUSED", `this needs the scope ${scope}, and the token has ${has ?? "none"}`, {
    hint: `Make a token for it with \`tmpm token create --scope ${scope}\`.`,
    details: { needed: scope, scope: has },
  });
}
