import type { RequestBytes } from "./upload-bytes.js";

/** One request to the daemon. `path` holds the query; `body` is JSON text. */
export interface Request {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** A file in place of the body. */
  readonly bytes?: RequestBytes;
  /** The whole exchange, from connecting to the last byte. */
  readonly timeoutMs: number;
  /** Ends the exchange with its reason. */
  readonly signal?: AbortSignal;
}

/** Header names are in lower case. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How requests travel. @throws DAEMON_UNREACHABLE, with effect `none` only when the request cannot have had one */
export interface Transport {
  request(request: Request): Promise<Response>;
}
