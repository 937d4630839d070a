import { Duplex } from "node:stream";

/** Maximum bytes of a channel in transit or waiting for their reader. */
export const WINDOW = 256 * 1024;
/** Bytes in one frame of data. */
export const PIECE = 64 * 1024;

/** The output of a channel. */
export interface ChannelVoice {
  data(bytes: Uint8Array): void;
  credit(bytes: number): void;
  end(): void;
  reset(reason: string): void;
  /** Both directions have ended. */
  gone(): void;
}

/** One channel from its link's side. */
export interface Channel {
  readonly stream: Duplex;
  /** False when the other end exceeded its credit. */
  data(bytes: Uint8Array): boolean;
  credit(bytes: number): void;
  end(): void;
  reset(reason: Error): void;
}

/** A `Duplex` that sends no more than the other end's credit. */
export function channel(voice: ChannelVoice): Channel {
  let mayStill = WINDOW;
  let owed = 0;
  let unread = 0;
  let waiting: { bytes: Uint8Array; done: () => void } | null = null;
  let over = false;

  /** The wire's reaction to a piece may arrive here synchronously. */
  function flush(): void {
    while (waiting !== null && mayStill > 0) {
      const { bytes, done } = waiting;
      const piece = bytes.subarray(0, Math.min(PIECE, mayStill));
      mayStill -= piece.length;
      waiting = piece.length === bytes.length ? null : { bytes: bytes.subarray(piece.length), done };
      voice.data(piece);
      if (piece.length === bytes.length) done();
    }
  }

  function pay(): void {
    if (owed === 0 || over) return;
    const bytes = owed;
    owed = 0;
    unread -= bytes;
    voice.credit(bytes);
  }

  const stream = new Duplex({
    allowHalfOpen: true,
    read: pay,
    write(bytes: Uint8Array, _, done) {
      waiting = { bytes, done };
      flush();
    },
    final(done) {
      voice.end();
      done();
    },
    destroy(error, done) {
      const whole = stream.writableFinished && stream.readableEnded;
      if (!over && !whole) voice.reset(error?.message ?? "closed");
      over = true;
      voice.gone();
      done(error);
    },
  });

  return {
    stream,
    data(bytes) {
      unread += bytes.length;
      if (unread > WINDOW) return false;
      owed += bytes.length;
      if (stream.push(bytes)) pay();
      return true;
    },
    credit(bytes) {
      mayStill = Math.min(WINDOW, mayStill + bytes);
      flush();
    },
    end: () => void stream.push(null),
    reset(reason) {
      over = true;
      stream.destroy(reason);
    },
  };
}
