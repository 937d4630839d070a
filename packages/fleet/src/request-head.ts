/** The end of a request's head, and the longest head (RFC 9112). */
export const HEAD_END = "\r\n\r\n";
export const MOST_HEAD = 32 * 1024;

export interface HeadChange {
  /** Identifies the caller, in place of the caller's own headers. */
  readonly token: string | null;
}

/** What follows the head: a body of this many bytes, one in chunks, or, once the daemon has switched protocols, a WebSocket. */
export type Framing = { readonly kind: "length"; readonly bytes: number } | { readonly kind: "chunked" } | { readonly kind: "websocket" };

export interface PassedHead {
  readonly head: string;
  readonly framing: Framing;
}

/** Headers of one connection only. Node's parser reads `Proxy-Connection` as `Connection`. */
const OF_THE_CONNECTION = ["connection", "proxy-connection", "keep-alive", "upgrade", "te", "trailer"];
const OF_THE_CALLER = ["authorization", "cookie", "tmpm-session"];

interface Field {
  readonly name: string;
  readonly value: string;
  readonly line: string;
}

/**
 * The head of an exchange's only request, as the node passes it to its daemon: with `Connection: close`, except for a WebSocket, and with the
 * token of the caller's rights, if it has separate ones, and no other. Null for an invalid head, and for one whose body's end is ambiguous.
 */
export function passedHead(head: string, { token }: HeadChange): PassedHead | null {
  const [first = "", ...lines] = head.split("\r\n");
  const method = /^(GET|POST|DELETE) \/[!-~]* HTTP\/1\.1$/.exec(first)?.[1];
  const fields = lines.map(fieldOf).filter((field) => field !== null);
  if (method === undefined || fields.length < lines.length) return null;
  const framing = framingOf(method, fields);
  if (framing === null) return null;
  const dropped = new Set([...OF_THE_CONNECTION, ...(token === null ? [] : OF_THE_CALLER)]);
  const kept = fields.filter(({ name }) => !dropped.has(name)).map(({ line }) => line);
  const connection = framing.kind === "websocket" ? ["Upgrade: websocket", "Connection: Upgrade"] : ["Connection: close"];
  const rights = token === null ? [] : [`Authorization: Bearer ${token}`];
  return { head: [first, ...kept, ...connection, ...rights].join("\r\n"), framing };
}

/** Null for a line that parsers read differently: a bare line end or another control character in it, a folded one, a space before the colon. */
function fieldOf(line: string): Field | null {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[\t ]*([\t -~\x80-\xff]*)$/.exec(line) ?? [];
  return name === undefined || value === undefined ? null : { name: name.toLowerCase(), value: value.replace(/[\t ]+$/, ""), line };
}

function framingOf(method: string, fields: readonly Field[]): Framing | null {
  const values = (name: string) => fields.filter((field) => field.name === name).map(({ value }) => value);
  const [coding, ...otherCodings] = values("transfer-encoding");
  const [length, ...otherLengths] = values("content-length");
  if (otherCodings.length > 0 || otherLengths.length > 0) return null;
  if (coding !== undefined) return length === undefined && coding.toLowerCase() === "chunked" ? { kind: "chunked" } : null;
  if (length !== undefined) return /^\d{1,15}$/.test(length) ? { kind: "length", bytes: Number(length) } : null;
  const [protocol, ...otherProtocols] = values("upgrade");
  const isWebSocket = method === "GET" && otherProtocols.length === 0 && protocol?.toLowerCase() === "websocket";
  return isWebSocket ? { kind: "websocket" } : { kind: "length", bytes: 0 };
}
