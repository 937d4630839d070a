/** A request for a WebSocket. `path` includes the query. */
export interface StreamRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Time limit for connecting. */
  readonly timeoutMs: number;
  /** Aborts the connecting with its reason. */
  readonly signal?: AbortSignal;
}

export interface StreamListener {
  readonly message: (data: string | Uint8Array) => void;
  /** The connection has ended; no further messages arrive. */
  readonly closed: () => void;
}

export interface StreamSocket {
  send(text: string): void;
  /** Idempotent. `closed` follows. */
  close(): void;
}

/** The transport of bidirectional streams. @throws DAEMON_UNREACHABLE, and the daemon's error response in place of a stream */
export interface StreamTransport {
  connect(request: StreamRequest, listener: StreamListener): Promise<StreamSocket>;
}
