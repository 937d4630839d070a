import { covers, type RouteName, type Scope } from "@tmpm/api";
import { isTmpmError, TmpmError, UUID_PATTERN } from "@tmpm/core";
import { unauthenticated } from "./authenticate.js";
import { type Caller, scopeOf } from "./caller.js";
import type { GuardOptions } from "./guard.js";

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

export interface PermitOptions extends Pick<GuardOptions, "opensSession" | "authoriseReport"> {
  readonly wanted: Wanted;
  readonly failed: (peer: string, message: string) => TmpmError;
}

export interface Unpermitted {
  readonly error: TmpmError;
  /** Whether the caller is who it claims to be. */
  readonly isProven: boolean;
}

/** Why the caller is refused; null when allowed. */
export async function permit(caller: Caller, options: PermitOptions): Promise<Unpermitted | null> {
  const { wanted, failed, opensSession } = options;
  const { scope, own = false, acting = false, session = null } = wanted;
  if ((scope === "anyone") !== (caller.kind === "anyone"))
    return proven(scope === "anyone" ? notAtTheDoor() : unauthenticated("a token is required"));
  if (scope === "anyone" || caller.kind === "anyone") return null;
  if (scope === "session") return mayReport(caller, options);
  if (caller.kind !== "session") return proven(covered(caller, scope));
  const wrong = (): Unpermitted => ({ error: failed(caller.peer, "the token is unknown or has expired"), isProven: false });
  if (caller.session !== null) {
    if (!(await opensSession(caller.session, caller.secret))) return wrong();
    return acting || (own && session === caller.session) ? null : proven(notForSessions());
  }
  if (session !== null && UUID_PATTERN.test(session) && (await opensSession(session, caller.secret))) {
    return own ? null : proven(notForSessions());
  }
  return wrong();
}

/** Only with the session's launch token, and before the report is read. Refusals are counted for `tmpm doctor`. */
async function mayReport(caller: Caller, { wanted: { session = null }, authoriseReport }: PermitOptions): Promise<Unpermitted | null> {
  const isOther = caller.kind === "session" && caller.session !== null && caller.session !== session;
  const token = caller.kind === "session" && !isOther ? caller.secret : null;
  try {
    await authoriseReport({ session: session ?? "", token });
    return null;
  } catch (error) {
    if (!isTmpmError(error) || error.code !== "TOKEN_REFUSED") throw error;
    return { error, isProven: caller.kind !== "session" };
  }
}

function proven(error: TmpmError | null): Unpermitted | null {
  return error === null ? null : { error, isProven: true };
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
