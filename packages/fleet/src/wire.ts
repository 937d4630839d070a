/** The transport of one link's frames, both ways: a stream of bytes, or messages of whole frames. */
export interface Wire {
  send(bytes: Uint8Array): void;
  /** Idempotent. `closed` follows. */
  close(): void;
}

export interface WireListener {
  readonly bytes: (bytes: Uint8Array) => void;
  /** The wire has ended; `reason` is for display. Called once. */
  readonly closed: (end: WireEnd) => void;
}

export interface WireEnd {
  readonly reason: string;
  readonly hint?: string;
}

/** Opens a wire. `closed` reports later failures. */
export type OpenWire = (listener: WireListener) => Wire;
