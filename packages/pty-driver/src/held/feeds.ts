import type { HolderClient } from "@tmpm/holder";
import type { HeldInfo } from "./held-info.js";
import type { RenderedScreen } from "./rendered-screen.js";
import type { ReplayRing } from "./replay-ring.js";

/** What is printed is told in pieces of at most so many bytes. */
const MOST_CHUNK = 64 * 1024;

export interface FeedsOptions {
  readonly ring: ReplayRing;
  readonly screen: RenderedScreen;
  readonly info: () => HeldInfo;
}

/** Tells clients what the terminal prints, each at its own pace: a client that is too slow for the ring gets the gap. */
export interface Feeds {
  /** From this number on, where it is kept; else, and for null, from the screen now on. */
  open(client: HolderClient, from: number | null): void;
  close(client: HolderClient): void;
  /** Something was printed, or the program has ended. */
  pump(): void;
}

interface Feed {
  at: number;
  /** What comes before any bytes. */
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
    if (one.owed !== null) return tellScreen(client, one, one.owed);
    if (one.at === ring.to()) {
      open.delete(client);
      return tellScreen(client, one, "exited");
    }
    const bytes = ring.read(one.at, MOST_CHUNK);
    if (bytes === null) return tellScreen(client, one, "gap");
    const told = client.emit({ type: "chunk", offset: one.at }, bytes);
    one.at += bytes.length;
    return told;
  }

  function tellScreen(client: HolderClient, one: Feed, type: "screen" | "gap" | "exited"): boolean {
    one.at = ring.to();
    one.owed = null;
    return client.emit({ type, offset: one.at, screen: screen.facts(0), info: info() }, screen.paint());
  }

  return {
    open(client, from) {
      const kept = from !== null && from >= ring.from() && from <= ring.to();
      const one: Feed = { at: kept ? from : ring.to(), owed: kept ? null : from === null ? "screen" : "gap", busy: false };
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
