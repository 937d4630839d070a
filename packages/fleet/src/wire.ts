/** What carries the frames of one link, both ways: a stream of bytes, or messages of whole frames. */
export interface Wire {
  send(bytes: Uint8Array): void;
  /** Idempotent. `closed` follows. */
  close(): void;
}

export interface WireListener {
  readonly bytes: (bytes: Uint8Array) => void;
  /** Nothing more comes; `reason` in words, for people. Once. */
  readonly closed: (end: WireEnd) => void;
}

export interface WireEnd {
  readonly reason: string;
  readonly hint?: string;
}

/** Begins a wire. `closed` reports what goes wrong on the way. */
export type OpenWire = (listener: WireListener) => Wire;
