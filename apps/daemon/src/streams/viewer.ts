import type { ResyncReason, StreamMessage } from "@tmpm/api";
import { isTmpmError } from "@tmpm/core";
import type { ByteRing } from "./byte-ring.js";
import type { Shot } from "./shot.js";
import { screenBody } from "./shot.js";

/** Unsent bytes of one viewer, above which it is given nothing more until it has taken some. */
export const HIGH_WATER = 256 * 1024;
/** Answers that a viewer does not take although it keeps asking: then it is cut off. */
const MOST_UNSENT = 1024 * 1024;

/** The connection to one viewer. */
export interface Wire {
  /** Bytes that were given to `send` and are still in this process. */
  unsent(): number;
  /** `sent` is called when they have left it. */
  send(data: string | Uint8Array, sent: () => void): void;
  /** Tells the other side, and ends. */
  close(code: number, reason: string): void;
  /** Ends at once. */
  cut(): void;
}

/** What a viewer is shown. */
export interface Source {
  readonly ring: Pick<ByteRing, "from" | "to">;
  /** A binary frame from this number on, and the number after it. */
  frame(from: number): { readonly frame: Uint8Array; readonly to: number };
  /** Of bytes before the ring's, where a host keeps them; null in place of one that it does not. */
  readonly older: ((from: number) => Promise<{ readonly frame: Uint8Array; readonly to: number } | null>) | null;
  look(): Promise<Shot>;
  /** What there is to say beside a reason. */
  note(reason: ResyncReason): string | null;
  report(fault: { readonly doing: string; readonly error: unknown }): void;
}

/** Shows one viewer a terminal at its own pace: it may miss bytes, of which it is told, but never holds more than a fixed amount of memory. */
export interface Viewer {
  readonly id: string;
  say(message: StreamMessage): void;
  /** Something was printed. */
  pump(): void;
  /** It needs a new screen. */
  owe(reason: ResyncReason): void;
  /** What is kept is shown first. */
  end(message: StreamMessage, code: number): void;
}

export interface ViewerOptions {
  readonly id: string;
  readonly wire: Wire;
  readonly source: Source;
  /** Where it goes on; a reason when it cannot; null for one that is new. */
  readonly from: number | ResyncReason | null;
}

export function viewer({ id, wire, source, from }: ViewerOptions): Viewer {
  /** Which screen is owed before any bytes. */
  let owed: ResyncReason | "screen" | null = typeof from === "number" ? null : (from ?? "screen");
  let position = typeof from === "number" ? from : 0;
  /** It is not told yet that it goes on. */
  let resuming = typeof from === "number";
  let busy = false;
  let ending: { readonly message: StreamMessage; readonly code: number } | null = null;
  let over = false;

  function pump(): void {
    while (!over && !busy && wire.unsent() < HIGH_WATER) {
      if (owed === null && position < source.ring.from()) {
        if (source.older !== null) {
          void catchUp(source.older);
          return;
        }
        owed = missed();
      }
      if (owed !== null && ending === null) {
        void show(owed);
        return;
      }
      if (owed === null) resume();
      if (owed !== null || position >= source.ring.to()) break;
      const { frame, to } = source.frame(position);
      position = to;
      wire.send(frame, pump);
    }
    if (ending !== null && !busy && (owed !== null || position >= source.ring.to())) finish(ending);
  }

  /** What the ring does not keep any more, from where it is kept. */
  async function catchUp(older: NonNullable<Source["older"]>): Promise<void> {
    busy = true;
    let again = true;
    try {
      const found = await older(position);
      if (found === null) owed ??= missed();
      else if (owed === null && !over) {
        resume();
        position = found.to;
        wire.send(found.frame, pump);
      }
    } catch (error) {
      // Whatever is wrong with the terminal, its end follows; else the next tick asks again.
      if (!isTmpmError(error)) source.report({ doing: "reading again what a terminal printed", error });
      if (ending === null) again = false;
      else owed ??= missed();
    }
    busy = false;
    if (again) pump();
  }

  function missed(): ResyncReason {
    return resuming ? "not_kept" : "behind";
  }

  function resume(): void {
    if (resuming) say({ type: "resumed", seq: position });
    resuming = false;
  }

  async function show(what: NonNullable<typeof owed>): Promise<void> {
    busy = true;
    owed = null;
    resuming = false;
    try {
      const shot = await source.look();
      position = shot.offset;
      const body = screenBody(shot);
      say(what === "screen" ? { type: "screen", ...body } : { type: "resync", reason: what, note: source.note(what), ...body });
      busy = false;
      pump();
    } catch (error) {
      busy = false;
      owed ??= what;
      // Whatever is wrong with the terminal, its end follows; else the next tick looks again.
      if (!isTmpmError(error)) source.report({ doing: "looking at a terminal for a viewer", error });
      if (ending !== null) pump();
    }
  }

  function say(message: StreamMessage): void {
    if (over) return;
    if (wire.unsent() > MOST_UNSENT) wire.cut();
    else wire.send(JSON.stringify(message), pump);
  }

  function finish({ message, code }: NonNullable<typeof ending>): void {
    if (over) return;
    say(message);
    over = true;
    wire.close(code, message.type === "end" ? message.reason : "");
  }

  return {
    id,
    say,
    pump,
    owe(reason) {
      if (owed === null || owed === "behind") owed = reason;
      pump();
    },
    end(message, code) {
      ending ??= { message, code };
      pump();
    },
  };
}
