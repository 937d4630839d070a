import type { IncomingMessage } from "node:http";

export interface BodyDeadline {
  readonly idleMs: number;
  readonly totalMs: number;
  readonly late: (reason: string) => void;
}

/** Calls `late` when a request's body is idle for `idleMs` to twice that, or has not arrived in `totalMs`. Ends with the request. */
export function bodyDeadline(request: IncomingMessage, { idleMs, totalMs, late }: BodyDeadline): void {
  if (request.complete) return;
  const untilMs = performance.now() + totalMs;
  let seen = request.socket.bytesRead;
  const timer = setInterval(() => {
    const now = request.socket.bytesRead;
    const isOver = performance.now() >= untilMs;
    if (!request.complete && now > seen && !isOver) {
      seen = now;
      return;
    }
    clearInterval(timer);
    if (request.complete) return;
    late(isOver ? `the request's body did not arrive within ${totalMs} ms` : `no data of the request's body arrived for ${idleMs} ms`);
  }, idleMs).unref();
  request.once("close", () => clearInterval(timer)).once("end", () => clearInterval(timer));
}
