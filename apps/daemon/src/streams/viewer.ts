import type { ResyncReason, StreamMessage } from "@tmpm/api";
import { isTmpmError } from "@tmpm/core";
import type { ByteRing } from "./byte-ring.js";
import type { Shot } from "./shot.js";
import { screenBody } from "./shot.js";

/** Maximum unsent bytes of one viewer; sending pauses above it. */
export const HIGH_WATER = 256 * 1024;
/** Maximum number of pending responses to a viewer that keeps sending without reading; then it is disconnected. */
const MOST_UNSENT = 1024 * 1024;

/** The connection to one viewer. */
export interface Wire {
  /** Bytes passed to `send` and still in this process. */
  unsent(): number;
  /** `sent` is called when they have left it. */
  send(data: string | Uint8Array, sent: () => void): void;
  /** Notifies the peer, and ends. */
  close(code: number, reason: string): void;
  /** Ends at once. */
  cut(): void;
}

/** The source of a viewer's frames. */
export interface Source {
  readonly ring: Pick<ByteRing, "from" | "to">;
  /** A binary frame that starts at this offset, and the offset after it. */
  frame(from: number): { readonly frame: Uint8Array; readonly to: number };
  /** Bytes older than the ring, if the host keeps them; null for bytes it no longer has. */
  readonly older: ((from: number) => Promise<{ readonly frame: Uint8Array; readonly to: number } | null>) | null;
  look(): Promise<Shot>;
  /** Details besides the reason. */
  note(reason: ResyncReason): string | null;
  report(fault: { readonly doing: string; readonly error: unknown }): void;
}

/** Feeds one viewer at its own pace: skipped bytes are reported to it, and memory is bounded. */
export interface Viewer {
  readonly id: string;
  say(message: StreamMessage): void;
  /** New output is available. */
  pump(): void;
  /** It needs a new screen. */
  owe(reason: ResyncReason): void;
  /** Stored output is sent first. */
  end(message: StreamMessage, code: number): void;
}

export interface ViewerOptions {
  readonly id: string;
  readonly wire: Wire;
  readonly source: Source;
  /** Where it resumes; a reason if it cannot; null for a new viewer. */
  readonly from: number | ResyncReason | null;
}

export function viewer({ id, wire, source, from }: ViewerOptions): Viewer {
  /** The screen to send before any bytes. */
  let owed: ResyncReason | "screen" | null = typeof from === "number" ? null : (from ?? "screen");
  let position = typeof from === "number" ? from : 0;
  /** Whether the resumption must still be announced. */
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

  /** Bytes no longer in the ring, from the host. */
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
      // If the terminal failed, its end follows; otherwise the next tick retries.
      if (!isTmpmError(error)) source.report({ doing: "reading a terminal's earlier output", error });
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
      // If the terminal failed, its end follows; otherwise the next tick retries.
      if (!isTmpmError(error)) source.report({ doing: "capturing a terminal for a viewer", error });
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
