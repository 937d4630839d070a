import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

export interface SendStreamOptions {
  readonly signal: AbortSignal;
  /** Idle timeout of a reader. */
  readonly stallMs: number;
}

/** Sends frames of `text/event-stream` at the reader's pace: frames are produced on demand. */
export async function sendStream(reply: FastifyReply, frames: AsyncIterable<string>, options: SendStreamOptions): Promise<void> {
  const { raw } = reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  let taken = true;
  try {
    for await (const frame of frames) {
      taken = raw.write(frame) || (await drained(raw, options));
      if (!taken) break;
    }
  } finally {
    if (taken) raw.end();
    else raw.destroy();
  }
}

/** False when the reader times out, or the stream is aborted. */
function drained(raw: ServerResponse, { signal, stallMs }: SendStreamOptions): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (taken: boolean) => () => {
      clearTimeout(timer);
      raw.off("drain", onDrain);
      signal.removeEventListener("abort", onAbort);
      resolve(taken);
    };
    const onDrain = settle(true);
    const onAbort = settle(false);
    const timer = setTimeout(settle(false), stallMs);
    raw.on("drain", onDrain);
    signal.addEventListener("abort", onAbort);
  });
}
