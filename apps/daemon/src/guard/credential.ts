import type { IncomingMessage } from "node:http";
import type { Entrance } from "./entrance.js";

/** A request's credential. `malformed`: without the format of a tmpm token. */
export type Credential = { readonly kind: "none" | "malformed" } | Shown;

export interface Shown {
  readonly kind: "bearer" | "cookie";
  readonly secret: string;
}

const SECRET = /^[\w-]{1,128}$/;

/** A header overrides a cookie, which a browser adds automatically. */
export function credentialOf({ headers }: IncomingMessage, entrance: Entrance): Credential {
  const { authorization, cookie } = headers;
  if (authorization !== undefined) return secret("bearer", /^Bearer ([^\s]+)$/i.exec(authorization)?.[1]);
  if (entrance.kind === "socket" || cookie === undefined) return { kind: "none" };
  const values = cookie
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${entrance.cookie}=`))
    .map((pair) => pair.slice(entrance.cookie.length + 1));
  if (values.length === 0) return { kind: "none" };
  return values.length === 1 ? secret("cookie", values[0]) : { kind: "malformed" };
}

function secret(kind: "bearer" | "cookie", value: string | undefined): Credential {
  return value !== undefined && SECRET.test(value) ? { kind, secret: value } : { kind: "malformed" };
}
