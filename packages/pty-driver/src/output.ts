import { type OutputEvent, type OutputListener, type OutputSubscription, type PaneInfo, type Screen, TmpmError } from "@tmpm/core";
import { connectHolder, type HolderLink } from "@tmpm/holder";
import { type HeldInfo, heldInfo } from "./held/held-info.js";
import type { ScreenFacts } from "./held/rendered-screen.js";

/** Number of pending bytes above which nothing more is read: the holder keeps the rest. */
const MOST_WAITING = 256 * 1024;

export interface OutputOptions {
  readonly folder: string;
  readonly listener: OutputListener;
  /** The holder's offset to begin at; null for the current screen. */
  readonly from: number | null;
  /** As in `PtyOptions`. */
  readonly patienceMs: number;
  /** Facts about the terminal besides its holder's report. */
  readonly paneOf: (link: HolderLink, info: HeldInfo | null) => Promise<PaneInfo>;
  /** The connection is to the right holder. @throws PANE_FOREIGN */
  readonly check: (link: HolderLink) => void;
}

interface Received {
  readonly event: unknown;
  readonly bytes: Uint8Array;
}

/** A terminal's output, over a separate connection: a slow listener delays no other. */
export async function outputOf({ folder, listener, from, patienceMs, paneOf, check }: OutputOptions): Promise<OutputSubscription> {
  const received: Received[] = [];
  let waiting = 0;
  let ring: () => void = () => undefined;
  let over = false;
  /** Null before the first event. */
  let reached: number | null = from;
  const link = await connectHolder(folder, {
    patienceMs,
    onEvent(event, bytes) {
      received.push({ event, bytes });
      waiting += bytes.length;
      if (waiting > MOST_WAITING) link.hold(true);
      ring();
    },
    onClosed: () => ring(),
  });
  try {
    check(link);
    await link.call("subscribe", { args: { from } });
  } catch (error) {
    link.close();
    throw error;
  }

  async function pump(): Promise<void> {
    while (!over) {
      const next = received.shift();
      if (next === undefined) {
        if (!link.isOpen()) return listener({ type: "closed", offset: reached ?? 0 });
        await new Promise<void>((resolve) => {
          ring = resolve;
        });
        continue;
      }
      waiting -= next.bytes.length;
      if (waiting <= MOST_WAITING) link.hold(false);
      const event = await eventOf(next);
      if (event === null || over) continue;
      await listener(event);
      if (event.type === "exited") return;
    }
  }

  async function eventOf({ event, bytes }: Received): Promise<OutputEvent | null> {
    const { type, offset } = placeOf(event);
    reached = offset + (type === "chunk" ? bytes.length : 0);
    if (type === "chunk") return { type, offset, bytes };
    if (type === "screen" || type === "gap" || type === "exited") {
      return { type, offset, screen: await screenOf(event), paint: bytes };
    }
    return null;
  }

  async function screenOf(value: unknown): Promise<Screen> {
    return { ...factsOf(value), pane: await paneOf(link, infoOf(value)) };
  }

  const close = () => {
    over = true;
    link.close();
    ring();
  };
  return {
    close,
    done: pump().finally(close),
    async look() {
      if (reached === null) throw new TypeError("the terminal has not been read yet");
      const { value, bytes } = await link.call("look");
      return { offset: placeOf(value).offset, screen: await screenOf(value), paint: bytes };
    },
  };
}

function placeOf(value: unknown): { readonly type: string; readonly offset: number } {
  if (typeof value !== "object" || value === null || !("offset" in value)) return { type: "", offset: 0 };
  return { type: "type" in value ? String(value.type) : "", offset: Number(value.offset) };
}

/** Parses a message of our holder. @throws UNRESPONSIVE for any other */
export function factsOf(value: unknown): ScreenFacts {
  if (typeof value === "object" && value !== null && "screen" in value) return value.screen as ScreenFacts;
  throw new TmpmError("UNRESPONSIVE", "the holder did not report its screen");
}

export function infoOf(value: unknown): HeldInfo | null {
  return typeof value === "object" && value !== null && "info" in value ? heldInfo(value.info) : null;
}
