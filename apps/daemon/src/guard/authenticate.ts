import type { IncomingMessage } from "node:http";
import { PATHS, SESSION_HEADER } from "@tmpm/api";
import { TmpmError, UUID_PATTERN } from "@tmpm/core";
import { isSecret } from "../tokens/secret.js";
import type { Tokens } from "../tokens/tokens.js";
import type { Caller } from "./caller.js";
import { credentialOf, type Shown } from "./credential.js";
import type { Entrance } from "./entrance.js";
import type { Refused } from "./refused.js";
import { isFromOwnPage, isLinkToLogin } from "./same-origin.js";

export interface AuthenticateOptions {
  readonly entrance: Entrance;
  readonly upgrade: boolean;
  readonly tokens: Pick<Tokens, "find">;
  readonly failed: (peer: string, message: string) => TmpmError;
}

/** The caller. Without a token it is the owner on the socket and anonymous on TCP; a wrong token is refused everywhere. */
export function authenticate(request: IncomingMessage, options: AuthenticateOptions): Caller | Refused {
  const { entrance, upgrade } = options;
  const peer = entrance.kind === "socket" ? "socket" : (request.socket.remoteAddress ?? "unknown");
  if (entrance.kind === "tcp" && !upgrade) {
    if (isDoor(request) || isLinkToLogin(request)) return { kind: "anyone", peer };
    if (isFrontPage(request)) return loggedIn(request, options) ?? { kind: "anyone", peer };
  }
  const shown = credentialOf(request, entrance);
  if (shown.kind === "none") {
    return entrance.kind === "socket" ? { kind: "owner", peer } : { error: unauthenticated("a token is required") };
  }
  if (shown.kind === "cookie" && !isFromOwnPage(request, upgrade))
    return { error: unauthenticated("a cookie is accepted only from the daemon's own pages") };
  const caller = "secret" in shown ? callerOf(shown, { peer, tokens: options.tokens, session: sessionOf(request) }) : null;
  return caller ?? { error: options.failed(peer, "the token is unknown or has expired") };
}

/** The login page, its script and its style. */
export const LOGIN_PAGE_PATHS = ["/login", "/login.js", "/login.css"] as const;
const LOGIN_PAGES: ReadonlySet<string | undefined> = new Set(LOGIN_PAGE_PATHS);

/** Requests allowed without a token: the login page, and a login by code from tmpm's own page. The cookie sent with it may be an old one. */
function isDoor({ method, url, headers }: IncomingMessage): boolean {
  if (headers.authorization !== undefined) return false;
  if (method === "GET") return LOGIN_PAGES.has(url);
  return headers.origin !== undefined && method === PATHS.login.method && url === PATHS.login.path;
}

/** The dashboard for logged-in browsers, the login page for all others: an invalid cookie is not refused here. */
function isFrontPage({ method, url, headers }: IncomingMessage): boolean {
  return method === "GET" && url === "/" && headers.authorization === undefined;
}

function loggedIn(request: IncomingMessage, { entrance, tokens, upgrade }: AuthenticateOptions): Caller | null {
  const shown = credentialOf(request, entrance);
  if (shown.kind !== "cookie" || !isFromOwnPage(request, upgrade) || !("secret" in shown)) return null;
  return callerOf(shown, { peer: request.socket.remoteAddress ?? "unknown", tokens, session: null });
}

interface Showing extends Pick<AuthenticateOptions, "tokens"> {
  readonly peer: string;
  readonly session: string | null;
}

/** The session that the request claims to come from. */
function sessionOf({ headers }: IncomingMessage): string | null {
  const named = headers[SESSION_HEADER];
  return typeof named === "string" && UUID_PATTERN.test(named) ? named : null;
}

function callerOf(shown: Shown, { peer, tokens, session }: Showing): Caller | null {
  const token = tokens.find(shown.secret);
  if (shown.kind === "cookie") return token?.kind === "login" ? { kind: "login", peer, token } : null;
  if (token !== null) return token.kind === "bearer" ? { kind: "token", peer, token } : null;
  // Session tokens have no prefix and no list: the route determines the session.
  return isSecret(shown.secret) ? null : { kind: "session", peer, secret: shown.secret, session };
}

export function unauthenticated(message: string): TmpmError {
  return new TmpmError("UNAUTHENTICATED", message, {
    hint: "Create a token with `tmpm token create` and set TMPM_TOKEN or TMPM_TOKEN_FILE; programs send it as `Authorization: Bearer TOKEN`. A browser logs in at the address that `tmpm token login` prints.",
  });
}

export function tooMany(seconds: number): TmpmError {
  return new TmpmError("RATE_LIMITED", "too many wrong tokens from this address", {
    hint: `Only wrong tokens are refused for this reason; try again in ${seconds} s.`,
    details: { retry_after_s: seconds },
  });
}
