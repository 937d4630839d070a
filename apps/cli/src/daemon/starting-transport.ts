import type { Response, Transport } from "@tmpm/api/client";
import { isConnectionLost, isNotRunning } from "@tmpm/api/local";
import { isTmpmError } from "@tmpm/core";

/**
 * A transport that starts the daemon if none listens, if it is stopping, or if it went away during a request, and then
 * retries once. If the start fails, the request has no effect.
 */
export function startingTransport(transport: Transport, start: () => Promise<void>): Transport {
  return {
    async request(request) {
      const response = await tryRequest(() => transport.request(request));
      if (response !== null) return response;
      await start().catch(async (error: unknown) => {
        const { refusedAtFirst } = await import("../system/system-fault.js");
        throw refusedAtFirst(error);
      });
      return transport.request(request);
    },
  };
}

/** Null if a daemon must be started first; the request has had no effect then. */
async function tryRequest(request: () => Promise<Response>): Promise<Response | null> {
  try {
    const response = await request();
    return response.status === 503 && isStopping(response.body) ? null : response;
  } catch (error) {
    if (isNotRunning(error) || (isConnectionLost(error) && isTmpmError(error) && error.effect === "none")) return null;
    throw error;
  }
}

function isStopping(body: string): boolean {
  return /"code":\s*"SHUTTING_DOWN"/.test(body) && /"effect":\s*"none"/.test(body);
}
