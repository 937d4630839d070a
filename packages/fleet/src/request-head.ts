/** The end of a request's head, and the longest head (RFC 9112). */
export const HEAD_END = "\r\n\r\n";
export const MOST_HEAD = 32 * 1024;

export interface HeadChange {
  /** Identifies the caller, in place of the caller's own headers. */
  readonly token: string | null;
}

/**
 * The head of an exchange's only request, as the node passes it to its daemon: with `Connection: close`, so that no second request follows
 * it unchecked, and with the token of the caller's rights, if it has separate ones, and no other. Null for an invalid head.
 */
export function passedHead(head: string, { token }: HeadChange): string | null {
  const [first = "", ...lines] = head.split("\r\n");
  // A bare line feed is a line end only to some parsers.
  if (lines.some((line) => /[\r\n\0]/.test(line))) return null;
  if (!/^(?:GET|POST|DELETE) \/\S* HTTP\/1\.1$/.test(first)) return null;
  const fields = lines.map((line) => ({ line, name: /^([!#$%&'*+.^_`|~\w-]+):/.exec(line)?.[1]?.toLowerCase() }));
  if (fields.some(({ name }) => name === undefined)) return null;
  const upgrades = fields.some(({ name }) => name === "upgrade");
  const dropped = new Set(token === null ? ["connection"] : ["connection", "authorization", "cookie", "tmpm-session"]);
  const kept = fields.filter(({ name }) => !dropped.has(name ?? "")).map(({ line }) => line);
  const own = [`Connection: ${upgrades ? "Upgrade" : "close"}`, ...(token === null ? [] : [`Authorization: Bearer ${token}`])];
  return [first, ...kept, ...own].join("\r\n");
}
