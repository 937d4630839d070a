import type { IncomingMessage } from "node:http";

/** Calls `late` when a request's body is idle for `idleMs` to twice that. Ends with the request. */
export function bodyDeadline(request: IncomingMessage, { idleMs, late }: { readonly idleMs: number; readonly late: () => void }): void {
  if (request.complete) return;
  let seen = request.socket.bytesRead;
  const timer = setInterval(() => {
    const now = request.socket.bytesRead;
    if (!request.complete && now > seen) {
      seen = now;
      return;
    }
    clearInterval(timer);
    if (!request.complete) late();
  }, idleMs).unref();
  request.once("close", () => clearInterval(timer)).once("end", () => clearInterval(timer));
}
