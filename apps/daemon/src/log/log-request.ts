import type { AnsweredRequest } from "../server/server.js";
import type { Log } from "./daemon-log.js";

/** One line per request at level `debug`, or `warn` for failures of the daemon. Without path and body. */
export function logRequest(log: Log, { requestId, callersId, route, status, code, ms }: AnsweredRequest): void {
  const fields = {
    request_id: requestId,
    ...(callersId === null ? {} : { callers_id: callersId }),
    route,
    status,
    code,
    ms: Math.round(ms),
  };
  if (status >= 500) log.warn(fields, "a request failed");
  else log.debug(fields, "a request was answered");
}
