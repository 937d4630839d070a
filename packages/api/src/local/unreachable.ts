import { hasCode, TmpmError } from "@tmpm/core/errors";
import type { Request } from "../transport.js";

/** No listener, the connection ended early, the response is malformed, or the time limit passed. */
type Reason = "not_running" | "connection_lost" | "bad_answer" | "no_answer";

/** No listener on the socket. */
export function notRunning(socket: string, cause?: unknown): TmpmError {
  return new TmpmError("DAEMON_UNREACHABLE", `no daemon listens at ${socket}`, {
    hint: "Start it with `tmpm daemon start`.",
    details: { socket, reason: "not_running" satisfies Reason },
    ...(cause === undefined ? {} : { cause }),
  });
}

export interface Failure {
  readonly request: Request;
  readonly reason: Exclude<Reason, "not_running">;
  /** The request may have reached the daemon. */
  readonly sent: boolean;
  readonly cause?: unknown;
}

/** The exchange failed. A request that only reads has no effect, so it may always be repeated. */
export function unanswered(problem: string, { request, reason, sent, cause }: Failure): TmpmError {
  return new TmpmError("DAEMON_UNREACHABLE", `the daemon did not answer: ${problem}`, {
    effect: sent && request.method !== "GET" ? "unknown" : "none",
    hint: "`tmpm daemon logs` may show why; `tmpm daemon restart` replaces the daemon, and sessions keep running.",
    details: { method: request.method, path: request.path, reason },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Whether an error means that there is no listener, so that a daemon can be started and the request repeated. */
export function isNotRunning(error: unknown): boolean {
  return hasReason(error, "not_running");
}

/** Whether an error means that the daemon went away before it responded. */
export function isConnectionLost(error: unknown): boolean {
  return hasReason(error, "connection_lost");
}

function hasReason(error: unknown, reason: Reason): boolean {
  return hasCode(error, "DAEMON_UNREACHABLE") && error.details.reason === reason;
}
