import type { LoginCodeAnswer, TokenScope } from "@tmpm/api";
import { TmpmError, timestampFromMs } from "@tmpm/core";
import type { TcpEntrance } from "../guard/entrance.js";
import type { Admitted, Guard } from "../guard/guard.js";
import { digestOf } from "./secret.js";
import type { Token } from "./token.js";
import type { Tokens } from "./tokens.js";

/** Browser logins: by a single-use code, valid for a minute, on one address (reliability C7). */
export interface Logins {
  /** @throws LISTEN_REFUSED if the daemon does not listen on TCP */
  code(scope: TokenScope): LoginCodeAnswer;
  /** The browser's token, and the cookie that holds it. @throws UNAUTHENTICATED, RATE_LIMITED */
  login(wanted: WantedLogin, admitted: Admitted): Promise<{ readonly token: Token; readonly cookie: string }>;
}

export interface WantedLogin {
  readonly code: string;
  /** The browser's own description. */
  readonly device?: string | undefined;
}

export interface LoginsOptions {
  readonly tokens: Pick<Tokens, "create">;
  readonly guard: Pick<Guard, "failed">;
  /** The address for browsers; null when the daemon listens on the socket only. */
  readonly entrance: () => TcpEntrance | null;
  readonly clock: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}

const CODE_MS = 60_000;
/** Long, because a phone logs in once; it can be logged out remotely at any time. */
const LOGIN_MS = 30 * 24 * 3_600_000;
/** Maximum number of open codes; the oldest expires when exceeded. */
const MAX_CODES = 16;

export function logins({ tokens, guard, entrance, clock, randomBytes }: LoginsOptions): Logins {
  const open = new Map<string, { readonly scope: TokenScope; readonly expiresMs: number; readonly entrance: TcpEntrance }>();

  function take(code: string, at: Admitted["entrance"]): TokenScope | null {
    const digest = digestOf(code);
    const found = open.get(digest);
    open.delete(digest);
    return found !== undefined && found.entrance === at && clock() < found.expiresMs ? found.scope : null;
  }

  return {
    code(scope) {
      const at = entrance();
      if (at === null)
        throw new TmpmError("LISTEN_REFUSED", "the daemon listens on its socket only, so browsers cannot reach it", {
          hint: "Start it with `tmpm daemon restart --listen 127.0.0.1:7777`, or set TMPM_LISTEN.",
        });
      const code = Buffer.from(randomBytes(16)).toString("base64url");
      const expiresMs = clock() + CODE_MS;
      open.set(digestOf(code), { scope, expiresMs, entrance: at });
      for (const oldest of [...open.keys()].slice(0, Math.max(0, open.size - MAX_CODES))) open.delete(oldest);
      return { code, url: `${at.loginUrl}#${code}`, scope, expires_at: timestampFromMs(expiresMs) };
    },
    async login({ code, device }, { entrance: at, caller, host }) {
      const scope = take(code, at);
      if (scope === null || at.kind === "socket") throw guard.failed(caller.peer, "the code is invalid or has expired");
      const { token, secret } = await tokens.create({ kind: "login", scope, name: nameOf(device, randomBytes(3)), expiresMs: LOGIN_MS });
      const { published } = at;
      const { isSecure, path } = host === published?.host ? published : { isSecure: at.scheme === "https", path: "/" };
      const attributes = ["HttpOnly", "SameSite=Strict", `Path=${path}`, `Max-Age=${LOGIN_MS / 1000}`, ...(isSecure ? ["Secure"] : [])];
      return { token, cookie: [`${at.cookie}=${secret}`, ...attributes].join("; ") };
    },
  };
}

/** `chrome-on-android-3f09c1`: names are unique, and shown to people. */
function nameOf(device: string | undefined, random: Uint8Array): string {
  const words = (device ?? "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 32);
  const name = words.replaceAll(/^-+|-+$/g, "");
  return `${/^[a-z]/.test(name) ? name : "browser"}-${Buffer.from(random).toString("hex")}`;
}
