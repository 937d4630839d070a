import type { Readable } from "node:stream";
import { TmpmError } from "@tmpm/core";
import { shuttingDown } from "./shutting-down.js";

export interface IncomingBytesOptions {
  /** Sender idle timeout, in ms. */
  readonly idleMs: number;
  /** Aborted when the daemon stops. */
  readonly stopping: AbortSignal;
}

/** A request's body as a stream, without buffering; unread data stays there. @throws TIMEOUT, SHUTTING_DOWN */
export async function* incomingBytes(body: Readable, { idleMs, stopping }: IncomingBytesOptions): AsyncGenerator<Uint8Array> {
  const pieces = body.iterator({ destroyOnReturn: false });
  let waiting = false;
  try {
    for (;;) {
      waiting = true;
      const next = await within(pieces.next(), { idleMs, stopping });
      waiting = false;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // With an idle sender, waiting for the end of the reader would block as well.
    if (!waiting) await pieces.return?.();
  }
}

function within<T>(piece: Promise<T>, { idleMs, stopping }: IncomingBytesOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new TmpmError("TIMEOUT", `no data of the file arrived for ${idleMs} ms`, { hint: "Send it again." }));
    const stop = () => reject(shuttingDown());
    const timer = setTimeout(late, idleMs);
    if (stopping.aborted) stop();
    stopping.addEventListener("abort", stop);
    const end = () => {
      clearTimeout(timer);
      stopping.removeEventListener("abort", stop);
    };
    piece.then(resolve, () => reject(new TmpmError("INVALID_ARGUMENT", "the file ended before its declared length"))).finally(end);
  });
}
