import type { HolderClient } from "@tmpm/holder";
import type { HeldInfo } from "./held-info.js";
import type { RenderedScreen } from "./rendered-screen.js";
import type { ReplayRing } from "./replay-ring.js";

/** Maximum size of one chunk of output, in bytes. */
const MOST_CHUNK = 64 * 1024;

export interface FeedsOptions {
  readonly ring: ReplayRing;
  readonly screen: RenderedScreen;
  readonly info: () => HeldInfo;
}

/** Sends the terminal's output to clients, each at its own pace: a client that falls behind the ring gets the gap. */
export interface Feeds {
  /** From this offset on, if it is kept; else, and for null, from the current screen on. */
  open(client: HolderClient, from: number | null): void;
  close(client: HolderClient): void;
  /** New output, or the program's end. */
  pump(): void;
}

interface Feed {
  at: number;
  /** Sent before any bytes. */
  owed: "screen" | "gap" | null;
  busy: boolean;
}

export function feeds({ ring, screen, info }: FeedsOptions): Feeds {
  const open = new Map<HolderClient, Feed>();

  async function feed(client: HolderClient, one: Feed): Promise<void> {
    if (one.busy) return;
    one.busy = true;
    while (open.get(client) === one && more(one)) {
      if (!next(client, one)) await client.drained();
    }
    one.busy = false;
  }

  function more({ at, owed }: Feed): boolean {
    return owed !== null || at < ring.to() || info().exit !== null;
  }

  /** False when the client is behind. */
  function next(client: HolderClient, one: Feed): boolean {
    if (one.owed !== null) return emitScreen(client, one, one.owed);
    if (one.at === ring.to()) {
      open.delete(client);
      return emitScreen(client, one, "exited");
    }
    const bytes = ring.read(one.at, MOST_CHUNK);
    if (bytes === null) return emitScreen(client, one, "gap");
    const accepted = client.emit({ type: "chunk", offset: one.at }, bytes);
    one.at += bytes.length;
    return accepted;
  }

  function emitScreen(client: HolderClient, one: Feed, type: "screen" | "gap" | "exited"): boolean {
    one.at = ring.to();
    one.owed = null;
    return client.emit({ type, offset: one.at, screen: screen.facts(0), info: info() }, screen.paint());
  }

  return {
    open(client, from) {
      const kept = from !== null && from >= ring.from() && from <= ring.to();
      const missing = from === null ? "screen" : "gap";
      const one: Feed = { at: kept ? from : ring.to(), owed: kept ? null : missing, busy: false };
      open.set(client, one);
      // After the answer to the caller.
      setImmediate(() => void feed(client, one));
    },
    close: (client) => void open.delete(client),
    pump() {
      for (const [client, one] of open) void feed(client, one);
    },
  };
}
