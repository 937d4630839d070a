/** The end of a request's head, and the longest head (RFC 9112). */
export const HEAD_END = "\r\n\r\n";
export const MOST_HEAD = 32 * 1024;

export interface HeadChange {
  /** Identifies the caller, in place of what the caller says of itself. */
  readonly token: string | null;
}

/**
 * The head of an exchange's one request, as the node passes it to its daemon: with `Connection: close`, so that no second request follows it unseen, and
 * where the asker was given rights of its own, with the token of those and no other. Null for what is not such a head.
 */
export function passedHead(head: string, { token }: HeadChange): string | null {
  const [first = "", ...lines] = head.split("\r\n");
  // A bare line end is one to some readers and none to others.
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
