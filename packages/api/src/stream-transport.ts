/** One request for a WebSocket. `path` holds the query. */
export interface StreamRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Until the connection stands. */
  readonly timeoutMs: number;
  /** Ends the connecting with its reason. */
  readonly signal?: AbortSignal;
}

export interface StreamListener {
  readonly message: (data: string | Uint8Array) => void;
  /** The connection has ended; nothing more comes. */
  readonly closed: () => void;
}

export interface StreamSocket {
  send(text: string): void;
  /** Idempotent. `closed` follows. */
  close(): void;
}

/** How streams travel both ways. @throws DAEMON_UNREACHABLE, and what the daemon answers instead of a stream */
export interface StreamTransport {
  connect(request: StreamRequest, listener: StreamListener): Promise<StreamSocket>;
}
