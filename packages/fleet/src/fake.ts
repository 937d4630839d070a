import { LEASE, type Lease } from "./presence.js";
import type { Timer } from "./timer.js";
import type { OpenWire, WireListener } from "./wire.js";

export type { Lease };
export { LEASE };

/** Possible faults of each message of a fake wire; probabilities are from 0 to 1. */
export interface Faults {
  readonly delayMs?: number;
  readonly loss?: number;
  readonly duplicate?: number;
  /** Delayed until the next one has passed. */
  readonly reorder?: number;
}

export interface FakeWireOptions {
  readonly timer: Timer;
  /** From 0 to below 1; needed for random faults. */
  readonly random?: () => number;
}

export interface FakeWire {
  readonly client: OpenWire;
  readonly node: OpenWire;
  setFaults(faults: Faults): void;
  /** Half-open: nothing arrives any more, and neither end is notified. */
  stall(): void;
  /** Messages delayed by `stall` arrive. */
  resume(): void;
  /** Both ends are notified that it broke. */
  cut(): void;
  /** Sent messages and bytes, in both directions together. */
  traffic(): { readonly messages: number; readonly bytes: number };
}

/** Two ends in one process, with faults between them. */
export function fakeWire({ timer, random = () => 1 }: FakeWireOptions): FakeWire {
  const ends = new Map<"client" | "node", WireListener>();
  const held: (() => void)[] = [];
  let faults: Faults = {};
  let isStalled = false;
  let isCut = false;
  let late: (() => void) | null = null;
  let messages = 0;
  let bytes = 0;
  /** Messages sent before the other end was attached. */
  const early: (() => void)[] = [];

  function happens(chance: number | undefined): boolean {
    return chance !== undefined && chance > 0 && random() < chance;
  }

  function pass(deliver: () => void): void {
    if (isStalled) held.push(deliver);
    else if (ends.size < 2) early.push(deliver);
    else if (faults.delayMs !== undefined && faults.delayMs > 0)
      timer.after(faults.delayMs, () => (isStalled ? held.push(deliver) : deliver()));
    else queueMicrotask(() => (isStalled ? void held.push(deliver) : deliver()));
  }

  function send(to: "client" | "node", piece: Uint8Array): void {
    messages += 1;
    bytes += piece.length;
    if (isCut || happens(faults.loss)) return;
    const deliver = () => {
      if (!isCut) ends.get(to)?.bytes(piece);
    };
    const before = late;
    late = null;
    if (before === null && happens(faults.reorder)) {
      late = deliver;
      return;
    }
    pass(deliver);
    if (happens(faults.duplicate)) pass(deliver);
    if (before !== null) pass(before);
  }

  function finish(reason: string): void {
    if (isCut) return;
    isCut = true;
    for (const end of [...ends.values()]) queueMicrotask(() => end.closed({ reason }));
  }

  /** While nothing arrives, the other end is not notified either. */
  function close(own: "client" | "node"): void {
    if (!isStalled) {
      finish("the connection ended");
      return;
    }
    const listener = ends.get(own);
    ends.delete(own);
    if (listener !== undefined) queueMicrotask(() => listener.closed({ reason: "the connection ended" }));
  }

  const side =
    (own: "client" | "node", other: "client" | "node"): OpenWire =>
    (listener) => {
      ends.set(own, listener);
      if (isCut) queueMicrotask(() => listener.closed({ reason: "the connection broke" }));
      if (ends.size === 2) for (const deliver of early.splice(0)) pass(deliver);
      return { send: (piece) => send(other, piece), close: () => close(own) };
    };

  return {
    client: side("client", "node"),
    node: side("node", "client"),
    setFaults: (next) => {
      faults = next;
    },
    stall: () => {
      isStalled = true;
    },
    resume() {
      isStalled = false;
      for (const deliver of held.splice(0)) pass(deliver);
    },
    cut: () => finish("the connection broke"),
    traffic: () => ({ messages, bytes }),
  };
}
