import { IncomingMessage } from "node:http";
import type { RouteName, TokenScope } from "@tmpm/api";
import type { TmpmError } from "@tmpm/core";
import type { Tokens } from "../tokens/tokens.js";
import { authenticate, tooMany, unauthenticated } from "./authenticate.js";
import { type Caller, may } from "./caller.js";
import { type Connections, connections } from "./connections.js";
import { type Entrance, SOCKET_ENTRANCE } from "./entrance.js";
import { failures } from "./failures.js";
import { permit, type Wanted } from "./permit.js";
import type { Refused } from "./refused.js";
import { originFault } from "./same-origin.js";
import { shapeFault } from "./shape.js";
import { versionFault } from "./version-fault.js";

/** The single authorization check, before routing, for requests and upgrades. Its accepted cases are listed in `docs/security.md`. */
export interface Guard {
  /** Everything but the scope, in the order of reliability C4: shape, host, origin, fetch metadata, version, token. */
  admit(request: IncomingMessage, how: Asked): Verdict;
  /** The result of `admit` for an admitted request; requests from inside the process, as in tests, are the owner's. */
  admitted(request: IncomingMessage): Admitted;
  /**
   * Makes a request from inside the process on behalf of the caller of an admitted one: `act` sends it with the given header, once, and its
   * caller, entrance and source are those of the first.
   */
  onBehalfOf<T>(request: IncomingMessage, act: (header: Readonly<Record<string, string>>) => Promise<T>): Promise<T>;
  /** Authorizes the caller of an admitted request. @throws UNAUTHENTICATED, SCOPE_REFUSED, TOKEN_REFUSED */
  permit(request: IncomingMessage, wanted: Wanted): Promise<Caller>;
  /** Calls back once the caller of an admitted request is proven: at once for a token or login, for a session when `permit` allows it. */
  whenProven(request: IncomingMessage, act: () => void): void;
  /** Whether `permit` was called and allowed it. */
  wasPermitted(request: IncomingMessage): boolean;
  /** Whether an admitted caller still has this scope; checked for every frame of a stream. */
  may(caller: Caller, needed: TokenScope): boolean;
  /** Counts a failed authentication. Returns the error: UNAUTHENTICATED, or RATE_LIMITED after too many. */
  failed(peer: string, message: string): TmpmError;
  readonly connections: Connections;
  /** Ends the connections of tokens that have expired. */
  sweep(): void;
}

export interface Asked {
  readonly entrance: Entrance;
  readonly upgrade: boolean;
}

export interface Admitted {
  /** Also sent in the response header `tmpm-request-id`. */
  readonly requestId: string;
  readonly entrance: Entrance;
  readonly caller: Caller;
  /** As named in the request. */
  readonly host: string;
  /** The caller's own request, for a request made on its behalf. */
  readonly first?: IncomingMessage;
}

export type Verdict = ({ readonly kind: "admitted" } & Admitted) | ({ readonly kind: "refused"; readonly requestId: string } & Refused);

/** A request that was not admitted or not authorized. */
export interface Refusal {
  readonly requestId: string;
  readonly request: IncomingMessage;
  readonly caller: Caller | null;
  readonly error: TmpmError;
  readonly route: RouteName | null;
  /** The resource in the path; the path itself without a route. */
  readonly target: string | null;
}

export interface GuardOptions {
  readonly version: string;
  readonly tokens: Pick<Tokens, "find" | "used" | "isGood" | "isCurrent">;
  /** Whether a secret is a session's launch token. */
  readonly opensSession: (sessionId: string, secret: string) => Promise<boolean>;
  /** Whether a session's agent may report. @throws TOKEN_REFUSED */
  readonly authoriseReport: (reporter: { readonly session: string; readonly token: string | null }) => Promise<void>;
  readonly newId: () => string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly refused?: (refusal: Refusal) => void;
}

/** Means nothing in a request over a connection. */
const BEHALF_HEADER = "tmpm-behalf";

export function guard(options: GuardOptions): Guard {
  const { tokens, newId, now, refused = () => undefined } = options;
  const wrong = failures({ now });
  const open = connections();
  const letIn = new WeakMap<IncomingMessage, Admitted>();
  const permitted = new WeakSet<IncomingMessage>();
  const onBehalf = new Map<string, Admitted>();
  const provenActs = new WeakMap<IncomingMessage, () => void>();

  function admit(request: IncomingMessage, { entrance, upgrade }: Asked): Verdict {
    const requestId = newId();
    const found = authenticated(request, { entrance, upgrade });
    if ("error" in found) {
      refused({ requestId, request, caller: null, error: found.error, route: null, target: pathOf(request) });
      return { kind: "refused", requestId, ...found };
    }
    if (found.kind === "token" || found.kind === "login") {
      tokens.used(found.token.id);
      // An in-process request does not have a connection to end: it is part of a request that was admitted before.
      if (request instanceof IncomingMessage) open.add(found.token.id, request.socket);
    }
    const admitted = { requestId, entrance, caller: found, host: request.headers.host ?? "" };
    letIn.set(request, admitted);
    return { kind: "admitted", ...admitted };
  }

  function failed(peer: string, message: string): TmpmError {
    const seconds = wrong.count(peer);
    return seconds === null ? unauthenticated(message) : tooMany(seconds);
  }

  function authenticated(request: IncomingMessage, asked: Asked): Caller | Refused {
    return (
      shapeFault(request, asked.upgrade) ??
      originFault(request, asked.entrance) ??
      versionFault(request, options.version) ??
      authenticate(request, { ...asked, tokens, failed })
    );
  }

  function admitted(request: IncomingMessage): Admitted {
    const known = letIn.get(request);
    if (known !== undefined) return known;
    const behalf = String(request.headers[BEHALF_HEADER]);
    // Node's own parser creates this class for requests over a connection.
    if (request instanceof IncomingMessage) throw new Error("a request reached the routes without the guard");
    const first = onBehalf.get(behalf);
    if (first !== undefined) {
      if ("token" in first.caller && !tokens.isCurrent(first.caller.token)) throw unauthenticated("the token was revoked or has expired");
      const own = { ...first, requestId: newId() };
      letIn.set(request, own);
      return own;
    }
    const injected = admit(request, { entrance: SOCKET_ENTRANCE, upgrade: false });
    if (injected.kind === "refused") throw injected.error;
    return injected;
  }

  return {
    admit,
    admitted,
    async onBehalfOf(request, act) {
      const key = newId();
      onBehalf.set(key, { ...admitted(request), first: request });
      try {
        return await act({ [BEHALF_HEADER]: key });
      } finally {
        onBehalf.delete(key);
      }
    },
    async permit(request, wanted) {
      const { requestId, caller } = admitted(request);
      const { opensSession, authoriseReport } = options;
      const refusal = await permit(caller, { wanted, failed, opensSession, authoriseReport });
      if (refusal === null) {
        permitted.add(request);
        if (caller.kind === "session") provenActs.get(request)?.();
        return caller;
      }
      const { route = null, target = pathOf(request) } = wanted;
      const { error, isProven } = refusal;
      refused({ requestId, request, caller: isProven ? caller : withoutClaim(caller), error, route, target });
      throw error;
    },
    may: (caller, needed) => may(caller, needed) && (!("token" in caller) || tokens.isCurrent(caller.token)),
    failed,
    whenProven(request, act) {
      const { caller } = admitted(request);
      if (caller.kind === "session") provenActs.set(request, act);
      else if (caller.kind !== "anyone") act();
    },
    wasPermitted: (request) => permitted.has(request),
    connections: open,
    sweep() {
      for (const id of open.tokens()) if (!tokens.isGood(id)) open.end(id);
    },
  };
}

/** The session that an unproven caller names is not it. */
function withoutClaim(caller: Caller): Caller {
  return caller.kind === "session" ? { ...caller, session: null } : caller;
}

/** A query may contain anything. */
function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "";
}
