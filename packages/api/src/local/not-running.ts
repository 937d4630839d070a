import { hasCode, TmpmError } from "@tmpm/core/errors";

const REASON = "not_running";

/** Nothing listens on the socket: DAEMON_UNREACHABLE without an effect. */
export function notRunning(socket: string, cause?: unknown): TmpmError {
  return new TmpmError("DAEMON_UNREACHABLE", `no daemon listens at ${socket}`, {
    hint: "Start it with `tmpm daemon start`.",
    details: { socket, reason: REASON },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Whether an error says that nothing listens, so that a daemon may be started and asked again. */
export function isNotRunning(error: unknown): boolean {
  return hasCode(error, "DAEMON_UNREACHABLE") && error.details.reason === REASON;
}
