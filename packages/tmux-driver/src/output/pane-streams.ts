import { type PaneIdentity, TmpmError } from "@tmpm/core";
import type { OutputListener, OutputSubscription } from "../driver.js";
import { paneKey } from "../observe/known-roots.js";
import type { ClientOptions } from "../one-shot/client.js";
import type { ObserveContext } from "../server/server-context.js";
import { requireStream } from "./most-streams.js";
import { type PaneStream, paneStream } from "./pane-stream.js";

export interface PaneStreams {
  open(identity: PaneIdentity, listener: OutputListener): Promise<OutputSubscription>;
  /** Some program may have ended. */
  check(): void;
  close(): Promise<void>;
}

/** The streams of a server's panes: one client for each pane with listeners. */
export function paneStreams(context: ObserveContext, options: { readonly client: ClientOptions; readonly everyMs: number }): PaneStreams {
  const streams = new Map<string, Promise<PaneStream>>();
  const open = new Set<PaneStream>();
  let closed = false;

  function streamOf(identity: PaneIdentity): Promise<PaneStream> {
    const key = `${identity.socket}\n${paneKey(identity)}`;
    const known = streams.get(key);
    if (known !== undefined) return known;
    requireStream(streams.size);
    const made = opened(identity, () => streams.get(key) === made && streams.delete(key));
    streams.set(key, made);
    return made;
  }

  async function opened(identity: PaneIdentity, forget: () => void): Promise<PaneStream> {
    try {
      const stream = await paneStream(context, {
        ...options,
        identity,
        over() {
          open.delete(stream);
          forget();
        },
      });
      open.add(stream);
      return stream;
    } catch (error) {
      forget();
      throw error;
    }
  }

  return {
    async open(identity, listener) {
      for (;;) {
        const stream = await streamOf(identity);
        if (closed) {
          await stream.close();
          throw new TmpmError("SHUTTING_DOWN", "the driver is closed");
        }
        // Its last listener may have left, or its pane may have gone, a moment ago.
        if (!stream.isOver()) return stream.subscribe(listener);
      }
    },
    check() {
      for (const stream of open) stream.check();
    },
    async close() {
      closed = true;
      await Promise.all([...open].map((stream) => stream.close()));
    },
  };
}
