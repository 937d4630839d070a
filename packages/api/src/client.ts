import { TmpmError } from "@tmpm/core/errors";
import type { Input, Output, RouteName } from "./contracts.js";
import { VERSION_HEADER } from "./headers.js";
import { PATHS } from "./paths.js";
import { errorIn, parseObject } from "./read-error.js";
import { requestTooLong } from "./request-too-long.js";
import type { Request, Response, Transport } from "./transport.js";
import { requestBytes, type UploadBytes } from "./upload-bytes.js";

export { type EventsWanted, type FollowedEvent, type FollowOptions, followEvents, keptEvents } from "./follow-events.js";
export { type OpenTerminalOptions, openTerminal, type Terminal, type TerminalEvent } from "./open-terminal.js";
export {
  type SessionRefreshes,
  type SessionRefreshesOptions,
  sessionRefreshes,
} from "./session-refreshes.js";
export type { StreamListener, StreamRequest, StreamSocket, StreamTransport } from "./stream-transport.js";
export type { Request, Response, Transport } from "./transport.js";
export { piecesOf, type RequestBytes, type UploadBytes } from "./upload-bytes.js";
export { type WebTransportOptions, webTransport } from "./web-transport.js";

export interface ClientOptions {
  readonly transport: Transport;
  /** The caller's version of tmpm. If given, a daemon of another version is an error. */
  readonly version?: string;
}

export interface CallOptions extends HeaderOptions {
  /** Time limit of the whole exchange, in ms; default 60,000. */
  readonly timeoutMs?: number;
  /** Stops waiting for the response, which throws the signal's reason; the request may have taken effect. */
  readonly signal?: AbortSignal;
}

/** A file: its name, its bytes, and its size if known and not given by the bytes. */
export type UploadInput = Input<"upload"> & { readonly bytes: UploadBytes; readonly size?: number };

type Call<R extends RouteName> = R extends "upload"
  ? (input: UploadInput, options?: CallOptions) => Promise<Output<"upload">>
  : JsonCall<R>;

type JsonCall<R extends RouteName> =
  Record<never, never> extends Input<R>
    ? (input?: Input<R>, options?: CallOptions) => Promise<Output<R>>
    : (input: Input<R>, options?: CallOptions) => Promise<Output<R>>;

/** One method per route, named as the verb. Each throws the daemon's error, DAEMON_UNREACHABLE or DAEMON_VERSION. */
export type Client = { readonly [R in RouteName]: Call<R> };

const DEFAULT_TIMEOUT_MS = 60_000;

/** The typed client. It checks the envelope only: responses are trusted to follow the contracts, since the versions agree. */
export function client(options: ClientOptions): Client {
  const call =
    <R extends RouteName>(route: R) =>
    async (input?: Input<R>, { timeoutMs = DEFAULT_TIMEOUT_MS, signal, ...asking }: CallOptions = {}): Promise<Output<R>> => {
      const headers = callHeaders({ ...asking, version: options.version });
      const asked = toRequest(route, { fields: { ...input }, timeoutMs, headers });
      const request = signal === undefined ? asked : { ...asked, signal };
      const response = await options.transport.request(request);
      return readAnswer<R>(response, { request, version: options.version });
    };
  const upload = async (
    { bytes, size, ...fields }: UploadInput,
    { timeoutMs = DEFAULT_TIMEOUT_MS, signal, ...asking }: CallOptions = {},
  ) => {
    const headers = callHeaders({ ...asking, version: options.version });
    const asked = { ...toRequest("upload", { fields, timeoutMs, headers }), bytes: requestBytes(bytes, size) };
    const request = signal === undefined ? asked : { ...asked, signal };
    return readAnswer<"upload">(await options.transport.request(request), { request, version: options.version });
  };
  const calls = Object.keys(PATHS).map((route) => [route, call(route as RouteName)]);
  // The loop creates a call for every name of the table.
  return { ...Object.fromEntries(calls), upload } as Client;
}

interface CallDetail {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Fields named by the path go into the path, the rest into the query (GET, DELETE, and with a file) or the body (POST). */
function toRequest(route: RouteName, { fields, timeoutMs, headers }: CallDetail): Request {
  const { method, path } = PATHS[route];
  const inQuery = method !== "POST" || "bytes" in PATHS[route];
  const rest = new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    if (typeof value !== "string" || value === "") throw new TypeError(`${route} needs '${name}'`);
    return encodeSegment(value);
  });
  if (!inQuery) return { method, path: filled, headers, body: JSON.stringify(Object.fromEntries(rest)), timeoutMs };
  const query = new URLSearchParams(
    [...rest].flatMap(([name, value]) => texts(value).map((text): [string, string] => [name, text])),
  ).toString();
  return { method, path: query === "" ? filled : `${filled}?${query}`, headers, body: null, timeoutMs };
}

/** Several values are sent as repeated parameters. */
function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

/** Lone surrogates cannot be encoded; such a value cannot name anything. */
function encodeSegment(value: string): string {
  return encodeURIComponent(value.replace(/[\ud800-\udfff]/gu, "\ufffd"));
}

/** Returns the type of the route's contract, which is not checked here. */
function readAnswer<R extends RouteName>(
  response: Response,
  { request, version }: { request: Request; version: string | undefined },
): Output<R> {
  const reads = request.method === "GET";
  const body = parseObject(response.body);
  const failed = response.status < 200 || response.status > 299;
  const error = failed ? errorIn(body) : null;
  // A proxy in between may send this with a text of its own.
  if (error === null && response.status === 431) throw requestTooLong();
  if (body === null || (failed && error === null)) {
    throw new TmpmError("DAEMON_UNREACHABLE", `the program on the daemon's socket is not tmpm (status ${response.status})`, {
      effect: reads ? "none" : "unknown",
      details: { status: response.status },
    });
  }
  if (version !== undefined) checkVersion(response, { version, effect: reads || error?.effect === "none" ? "none" : "unknown" });
  if (error !== null) throw error;
  // The versions agree, so the body follows the contract.
  return body as Output<R>;
}

function checkVersion(response: Response, { version, effect }: { version: string; effect: "none" | "unknown" }): void {
  const theirs = response.headers[VERSION_HEADER];
  if (theirs === version) return;
  throw new TmpmError("DAEMON_VERSION", `the daemon runs tmpm ${theirs ?? "of an unknown version"}, and this is tmpm ${version}`, {
    effect,
    hint: "Replace the daemon with `tmpm daemon restart`; sessions keep running.",
    details: { daemon_version: theirs ?? null, client_version: version },
  });
}

/** Options of a call, sent as headers. */
interface HeaderOptions {
  /** For routes that change something: within a day, the same key with the same input is the same call, also after a lost response. */
  readonly key?: string;
  /** For routes that change a session: the `rev` that the caller saw. @throws REV_CONFLICT, without any effect, if it has changed since */
  readonly rev?: number;
}

function callHeaders({ version, key, rev }: HeaderOptions & { readonly version: string | undefined }): Readonly<Record<string, string>> {
  return {
    ...(version === undefined ? {} : { [VERSION_HEADER]: version }),
    ...(key === undefined ? {} : { "Idempotency-Key": key }),
    ...(rev === undefined ? {} : { "If-Match": `"${rev}"` }),
  };
}
