import type { IncomingMessage } from "node:http";
import { CONTRACTS, type Contract, type RouteName } from "@tmpm/api";
import { hasCode, type TmpmError } from "@tmpm/core";
import { actorOf, type Caller, scopeOf } from "../guard/caller.js";
import type { Refusal } from "../guard/guard.js";
import type { AuditedCaller } from "./audit-entry.js";
import type { AuditLog } from "./audit-log.js";

/** Records requests: changes before and after they are made, and refusals. */
export interface RequestAudit {
  /** Before the handler runs. */
  begin(asked: AskedRoute): void;
  /** After the response. */
  end(ended: EndedRoute): void;
  refused(refusal: Refusal): void;
}

export interface AskedRoute {
  readonly requestId: string;
  readonly caller: Caller;
  readonly route: RouteName;
  readonly method: string;
  readonly target: string | null;
  /** Whether to record it, if the route does not specify that. */
  readonly changes?: boolean;
}

export interface EndedRoute extends Omit<AskedRoute, "method"> {
  readonly request: IncomingMessage;
  readonly status: number;
  readonly error: TmpmError | null;
}

export interface RequestAuditOptions {
  readonly log: Pick<AuditLog, "append">;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Maximum number of anonymous requests recorded individually per minute, so that they do not displace older entries. */
  readonly strangersAMinute?: number;
}

const MINUTE_MS = 60_000;

export function requestAudit({ log, now, strangersAMinute = 120 }: RequestAuditOptions): RequestAudit {
  let minute = { since: now(), recorded: 0, counted: 0 };

  function isRecorded(): boolean {
    if (now() - minute.since >= MINUTE_MS) {
      if (minute.counted > 0) log.append({ kind: "more_refused", count: minute.counted });
      minute = { since: now(), recorded: 0, counted: 0 };
    }
    const recorded = minute.recorded < strangersAMinute;
    minute = recorded ? { ...minute, recorded: minute.recorded + 1 } : { ...minute, counted: minute.counted + 1 };
    return recorded;
  }

  /** Anonymous requests that were only counted. */
  const onlyCounted = new WeakSet<Caller>();

  function recordRequest({ requestId, caller, route, method, target }: AskedRoute): void {
    log.append({ kind: "request", request_id: requestId, caller: audited(caller), method, route, target: clip(target) });
  }

  function refused({ requestId, request, caller, error, route, target }: Refusal): void {
    if ((caller === null || caller.kind === "anyone" || caller.kind === "session") && !isRecorded()) return;
    const who = caller === null ? stranger(request) : audited(caller);
    log.append({
      kind: "refused",
      code: error.code,
      request_id: requestId,
      caller: who,
      method: methodOf(request),
      route,
      target: clip(target),
    });
  }

  return {
    begin(asked) {
      const { caller, route, changes = isAudited(route) || acts(caller) } = asked;
      if (!changes) return;
      if (caller.kind === "anyone" && !isRecorded()) onlyCounted.add(caller);
      else recordRequest(asked);
    },
    end({ error, status, changes, ...asked }) {
      if (onlyCounted.has(asked.caller)) {
        if (error !== null) return;
        // One that succeeded is recorded in any case.
        recordRequest({ ...asked, method: methodOf(asked.request) });
      }
      if (changes ?? (isAudited(asked.route) || acts(asked.caller)))
        log.append({ kind: "outcome", request_id: asked.requestId, status, code: error?.code ?? null });
      else if (hasCode(error, "TOKEN_REFUSED")) refused({ ...asked, error });
    },
    refused,
  };
}

/** Agents' own reports only change the activity, and are frequent. */
function isAudited(route: RouteName): boolean {
  const { scope }: Contract = CONTRACTS[route];
  return scope === "operator" || scope === "admin" || scope === "anyone";
}

/** All requests of a session acting on its own are recorded, including reads; reports of its agent do not identify a session as the caller. */
function acts(caller: Caller): boolean {
  return actorOf(caller) !== null;
}

function audited(caller: Caller): AuditedCaller {
  const token = "token" in caller ? caller.token : null;
  const actor = actorOf(caller);
  return {
    ...{ kind: caller.kind, peer: caller.peer, scope: scopeOf(caller), token: token?.name ?? null, token_id: token?.id ?? null },
    ...(actor === null ? {} : { session: actor }),
  };
}

function stranger({ socket }: IncomingMessage): AuditedCaller {
  return { kind: "unknown", peer: socket.remoteAddress ?? "socket", scope: null, token: null, token_id: null };
}

function methodOf({ method }: IncomingMessage): string {
  return (method ?? "").slice(0, 20);
}

/** A token may have been sent in the wrong field. */
function clip(target: string | null): string | null {
  return target === null ? null : target.replace(/tmpm_[\w-]{20,}/g, "tmpm_…").slice(0, 200);
}
