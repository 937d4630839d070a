import type { Duplex } from "node:stream";
import { type Channel, channel } from "./channel.js";
import { BadFrame, encodeFrame, FRAME, type Frame, frameParser, PREAMBLE } from "./frame.js";
import type { OpenWire, Wire, WireEnd } from "./wire.js";

export interface MuxOptions {
  /** A stream of bytes needs a preamble; messages do not. */
  readonly preamble: boolean;
  /** Frames of the whole link, not of a channel. @throws BadFrame */
  readonly control: (type: number, payload: Uint8Array) => void;
  /** The other end opened a channel; null if it must not. */
  readonly opened: ((stream: Duplex) => void) | null;
  /** Called for any frame. */
  readonly heard: () => void;
  readonly closed: (end: WireEnd) => void;
}

export interface Mux {
  control(type: number, payload: Uint8Array): void;
  /** @throws Error when the wire is closed */
  open(): Duplex;
  /** Number of open channels. */
  channels(): number;
  close(end: WireEnd): void;
}

/** Maximum number of simultaneous channels of one link. */
const MOST_CHANNELS = 4096;
const NOTHING = new Uint8Array();

/** Channels on a wire. A duplicate frame is dropped; a missing one ends the link, because its content is unknown. */
export function mux(openWire: OpenWire, { preamble, control, opened, heard, closed }: MuxOptions): Mux {
  const channels = new Map<number, Channel>();
  let serial = 0;
  let expected = 0;
  let newest = 0;
  let isClosed = false;

  const parse = frameParser({ preamble, onFrame: take });
  const wire: Wire = openWire({
    bytes(bytes) {
      if (isClosed) return;
      try {
        parse(bytes);
      } catch (error) {
        if (!(error instanceof BadFrame)) throw error;
        close({ reason: `the other end violates the protocol: ${error.message}` });
      }
    },
    closed: finish,
  });
  if (preamble) wire.send(PREAMBLE);

  function send(type: number, { on, payload = NOTHING }: { readonly on: number; readonly payload?: Uint8Array }): void {
    if (isClosed) return;
    const frame = encodeFrame({ type, channel: on, serial, payload });
    serial = (serial + 1) >>> 0;
    wire.send(frame);
  }

  function take(frame: Frame): void {
    if (isClosed) return;
    const ahead = (frame.serial - expected) >>> 0;
    if (ahead > 0x7fffffff) return;
    if (ahead > 0) throw new BadFrame(`${ahead} frames were lost`);
    expected = (expected + 1) >>> 0;
    heard();
    if (frame.channel === 0) control(frame.type, frame.payload);
    else if (frame.type === FRAME.open) accept(frame.channel);
    else receive(frame);
  }

  function accept(id: number): void {
    if (opened === null) throw new BadFrame("it sent a request where only responses are expected");
    if (id <= newest) throw new BadFrame("a channel was opened twice");
    newest = id;
    if (channels.size >= MOST_CHANNELS) send(FRAME.reset, { on: id, payload: text("too many exchanges at once") });
    else opened(begin(id).stream);
  }

  function receive({ type, channel: id, payload }: Frame): void {
    const each = channels.get(id);
    // Frames still in transit to an abandoned channel.
    if (each === undefined) return;
    if (type === FRAME.data && !each.data(payload)) throw new BadFrame("it sends more than its credit allows");
    if (type === FRAME.credit) each.credit(number(payload));
    if (type === FRAME.end) each.end();
    if (type === FRAME.reset) each.reset(new Error(new TextDecoder().decode(payload)));
  }

  function begin(id: number): Channel {
    const made = channel({
      data: (payload) => send(FRAME.data, { on: id, payload }),
      credit: (bytes) => send(FRAME.credit, { on: id, payload: word(bytes) }),
      end: () => send(FRAME.end, { on: id }),
      reset: (reason) => send(FRAME.reset, { on: id, payload: text(reason) }),
      gone: () => void channels.delete(id),
    });
    channels.set(id, made);
    // The owner of the stream handles its failure; without an owner it has no effect.
    made.stream.on("error", () => undefined);
    return made;
  }

  function finish(end: WireEnd): void {
    if (isClosed) return;
    isClosed = true;
    for (const each of [...channels.values()]) each.reset(new Error(end.reason));
    closed(end);
  }

  function close(end: WireEnd): void {
    finish(end);
    wire.close();
  }

  return {
    control: (type, payload) => send(type, { on: 0, payload }),
    open() {
      if (isClosed) throw new Error("the link is closed");
      newest += 1;
      const made = begin(newest);
      send(FRAME.open, { on: newest });
      return made.stream;
    },
    channels: () => channels.size,
    close,
  };
}

function text(words: string): Uint8Array {
  return new TextEncoder().encode(words.slice(0, 500));
}

function word(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function number(payload: Uint8Array): number {
  if (payload.length !== 4) throw new BadFrame("its credit is not a number");
  return new DataView(payload.buffer, payload.byteOffset, 4).getUint32(0);
}
