import type { Timer } from "../timer.js";
import type { WireEnd } from "../wire.js";
import { WireFault } from "./connection.js";
import { type ServedNats, type ServeNatsOptions, serveNats } from "./serve-nats.js";

export interface KeepServingOptions extends ServeNatsOptions {
  readonly timer: Timer;
  /** The server is reached or, with the reason, is not. */
  readonly report: (end: WireEnd | null) => void;
  readonly signal: AbortSignal;
}

const RETRIES = [1_000, 2_000, 5_000, 10_000, 30_000];

/** Answers callers on a NATS server, and reconnects after every end of the connection. */
export async function keepServingNats({ timer, report, signal, ...options }: KeepServingOptions): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    const served = await serveNats(options).catch(faultOf);
    if ("closed" in served) {
      failures = 0;
      report(null);
      report(await until(served, signal));
    } else report(served);
    await pause(RETRIES[Math.min(failures, RETRIES.length - 1)] ?? 0, { timer, signal });
  }
}

function faultOf(error: unknown): WireEnd {
  if (error instanceof WireFault) return error.end;
  throw error;
}

async function until(served: ServedNats, signal: AbortSignal): Promise<WireEnd> {
  signal.addEventListener("abort", served.close, { once: true });
  if (signal.aborted) served.close();
  const end = await served.closed;
  signal.removeEventListener("abort", served.close);
  return end;
}

function pause(ms: number, { timer, signal }: { readonly timer: Timer; readonly signal: AbortSignal }): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const stop = timer.after(ms, end);
    signal.addEventListener("abort", end, { once: true });
    function end(): void {
      stop();
      signal.removeEventListener("abort", end);
      resolve();
    }
  });
}
