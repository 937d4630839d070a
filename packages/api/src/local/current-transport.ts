import { TmpmError } from "@tmpm/core/errors";
import { SESSION_HEADER } from "../headers.js";
import type { StreamTransport } from "../stream-transport.js";
import type { Transport } from "../transport.js";
import { currentLocation } from "./current-location.js";
import { currentToken } from "./current-token.js";
import { isProtected } from "./loopback.js";
import { tcpTransport } from "./tcp-transport.js";
import { localTransport } from "./transport.js";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The transport to the daemon of an environment: `TMPM_URL`, else this user's socket; with the token of `TMPM_TOKEN` or `TMPM_TOKEN_FILE`.
 * With `TMPM_AS_SESSION=1` in a session it is the socket, with the session's own token.
 * @throws INVALID_ARGUMENT, UNAUTHENTICATED, UNSAFE_PATH, SOCKET_PATH_TOO_LONG
 */
export function currentTransport(env: Env = process.env): Transport & StreamTransport {
  const url = daemonUrl(env);
  const session = env.TMPM_AS_SESSION === "1" ? currentSession(env) : null;
  if (session !== null) return withSession(localTransport({ socket: currentLocation(env).socket }), session);
  const token = currentToken(env);
  if (url === null) return withToken(localTransport({ socket: currentLocation(env).socket }), token);
  if (token !== null) return tcpTransport({ url, token });
  throw new TmpmError("UNAUTHENTICATED", "the daemon at TMPM_URL requires a token", {
    hint: "Make one with `tmpm token create` where the daemon runs, and name its file in TMPM_TOKEN_FILE.",
  });
}

/** `TMPM_URL` without a path; null if unset. @throws INVALID_ARGUMENT also for an address that would receive a token unencrypted */
export function daemonUrl({ TMPM_URL: text }: Env): string | null {
  if (text === undefined || text === "") return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isBare = url !== null && url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (url === null || !isBare || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new TmpmError("INVALID_ARGUMENT", "TMPM_URL is not the address of a daemon", {
      hint: "For example TMPM_URL=http://127.0.0.1:7777",
    });
  if (!isProtected(url))
    throw new TmpmError("INVALID_ARGUMENT", `TMPM_URL: the token would be sent to ${url.hostname} unencrypted`, {
      hint: "Use https, or a tunnel: ssh -N -L 7777:127.0.0.1:7777 HOST",
    });
  return url.origin;
}

/** The session that a program runs in, and the token of its launch. */
export interface ActingSession {
  readonly id: string;
  readonly token: string;
}

/** The session of an environment; null outside a session. */
export function currentSession({ TMPM_SESSION_ID: id, TMPM_SESSION_TOKEN: token }: Env): ActingSession | null {
  return id && token ? { id, token } : null;
}

/** The same transport for a session that acts itself: with its token, within its grant. */
export function withSession(transport: Transport & StreamTransport, { id, token }: ActingSession): Transport & StreamTransport {
  const named = { [SESSION_HEADER]: id };
  return withToken(
    {
      request: (request) => transport.request({ ...request, headers: { ...named, ...request.headers } }),
      connect: (request, listener) => transport.connect({ ...request, headers: { ...named, ...request.headers } }, listener),
    },
    token,
  );
}

export function withToken(transport: Transport & StreamTransport, token: string | null): Transport & StreamTransport {
  if (token === null) return transport;
  const authorization = `Bearer ${token}`;
  return {
    request: (request) => transport.request({ ...request, headers: { authorization, ...request.headers } }),
    connect: (request, listener) => transport.connect({ ...request, headers: { authorization, ...request.headers } }, listener),
  };
}
