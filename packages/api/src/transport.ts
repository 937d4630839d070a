import type { RequestBytes } from "./upload-bytes.js";

/** A request to the daemon. `path` includes the query; `body` is JSON text. */
export interface Request {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** A file in place of the body. */
  readonly bytes?: RequestBytes;
  /** Time limit of the whole exchange, from connecting to the last byte, in ms. */
  readonly timeoutMs: number;
  /** Aborts the exchange with its reason. */
  readonly signal?: AbortSignal;
}

/** Header names are in lower case. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The transport of requests. @throws DAEMON_UNREACHABLE, with effect `none` only if the request certainly had no effect */
export interface Transport {
  request(request: Request): Promise<Response>;
}
