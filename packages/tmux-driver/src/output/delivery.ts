import { isTmpmError, TmpmError } from "@tmpm/core";
import type { OutputEvent, OutputListener, OutputSubscription, Screen } from "../driver.js";
import { byteQueue } from "./byte-queue.js";
import { wakeSignal } from "./wake-signal.js";

/** Pending bytes at which a listener gets a fresh screen instead. */
export const MOST_WAITING = 1024 * 1024;

/** The screen of a pane at one moment. */
export interface Snapshot {
  readonly screen: Screen;
  readonly paint: Uint8Array;
}

export interface DeliveryOptions {
  readonly listener: OutputListener;
  /**
   * Takes the screen, and calls `cut` at its position in the stream: earlier output is on the screen, later output is not.
   * After a failure, `lost` or `end` follows.
   */
  readonly snapshot: (cut: () => void) => Promise<Snapshot>;
  /** Called once, when delivery is over. */
  readonly finished: () => void;
  readonly mostWaiting?: number;
}

export type Ending = { readonly type: "exited"; readonly snapshot: Snapshot } | { readonly type: "closed" };

/** Delivers a pane's output to one listener at its own pace, in bounded memory. */
export interface Delivery extends OutputSubscription {
  take(bytes: Uint8Array): void;
  /** Some of the pane's output was lost. */
  lost(): void;
  /** No more output follows. */
  end(ending: Ending): void;
}

export function delivery({ listener, snapshot, finished, mostWaiting = MOST_WAITING }: DeliveryOptions): Delivery {
  const waiting = byteQueue();
  const signal = wakeSignal();
  /** The screen to deliver before any chunk. */
  let owed: "screen" | "gap" | null = "screen";
  let offset = 0;
  let started = false;
  let snapshots = 0;
  let ending: Ending | null = null;
  let closed = false;
  let over = false;

  const owe = () => {
    owed ??= "gap";
    snapshots += 1;
    signal.wake();
  };
  const close = () => {
    if (!over) finished();
    over = true;
    closed = true;
    signal.wake();
  };

  async function pump(): Promise<void> {
    while (!closed) {
      if (waiting.size() > 0) await listener({ type: "chunk", ...waiting.take() });
      else if (ending !== null) await deliverEnd(ending);
      else if (owed !== null) await deliverScreen(owed);
      else await signal.woken();
    }
  }

  async function deliverScreen(type: "screen" | "gap"): Promise<void> {
    const mine = ++snapshots;
    let at: number | null = null;
    const cut = () => {
      if (mine !== snapshots) return;
      if (!started) offset = 0;
      started = true;
      at = offset;
      owed = null;
    };
    const taken = await snapshotOrNull(cut);
    if (taken === null) {
      waiting.drop();
      owed = type;
      if (mine === snapshots && ending === null && !closed) await signal.woken();
    } else if (at !== null && !closed) await listener({ type, offset: at, ...taken });
  }

  async function snapshotOrNull(cut: () => void): Promise<Snapshot | null> {
    try {
      return await snapshot(cut);
    } catch (error) {
      // The source reports when a retry is useful.
      if (!isTmpmError(error)) throw error;
      return null;
    }
  }

  async function deliverEnd(last: Ending): Promise<void> {
    closed = true;
    if (last.type === "closed") return listener({ type: "closed", offset });
    const end: OutputEvent = { type: "exited", offset, ...last.snapshot };
    if (owed === "screen") await listener({ ...end, type: "screen" });
    return listener(end);
  }

  async function look() {
    if (!started) throw new TypeError("the pane has not been read yet");
    let at: number | null = null;
    const taken = await snapshot(() => {
      at = offset;
    });
    if (at === null) throw new TmpmError("TMUX_FAILED", "tmux did not report the position of the screen in the output");
    return { offset: at, ...taken };
  }

  return {
    done: pump().finally(close),
    look,
    take(bytes) {
      if (closed || ending !== null) return;
      if (owed === null) waiting.add(bytes, offset);
      offset += bytes.length;
      if (waiting.size() <= mostWaiting) return signal.wake();
      waiting.drop();
      owe();
    },
    lost: owe,
    end(last) {
      ending ??= last;
      signal.wake();
    },
    close,
  };
}
