import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { isLoopback } from "@tmpm/api/local";
import { TmpmError } from "@tmpm/core";

/** An address for the daemon to listen on in addition to its socket. */
export interface TcpAddress {
  /** A literal address. */
  readonly host: string;
  /** 0 to let the system choose. */
  readonly port: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
}

/**
 * `TMPM_LISTEN=127.0.0.1:7777`, with `TMPM_TLS_CERT` and `TMPM_TLS_KEY`: files in PEM. Null without `TMPM_LISTEN`. Beyond this machine only with TLS, or
 * tokens and screens would be exposed (reliability C3). @throws LISTEN_REFUSED
 */
export function tcpAddress(env: Readonly<Record<string, string | undefined>>): TcpAddress | null {
  const { TMPM_LISTEN: listen = "", TMPM_TLS_CERT: cert = "", TMPM_TLS_KEY: key = "" } = env;
  if ((cert === "") !== (key === ""))
    throw refused("a certificate needs its key, and a key its certificate", "Set both --tls-cert and --tls-key, or neither.");
  if (listen === "") {
    if (cert === "") return null;
    throw refused("a certificate needs an address", "Give the address with --listen ADDRESS:PORT.");
  }
  const { host, port } = parse(listen);
  if (cert !== "") return { host, port, tls: { cert: read(cert), key: readPrivate(key) } };
  if (isLoopback(host)) return { host, port, tls: null };
  throw refused(
    `${host} is reachable from other machines, but TLS is not configured`,
    "Give a certificate with --tls-cert and --tls-key. Or listen on 127.0.0.1 and use a tunnel: ssh -N -L 7777:127.0.0.1:7777 HOST",
  );
}

/** As in a URL. */
export function authorityOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function parse(listen: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(listen) ?? [];
  const host = bracketed ?? plain ?? "";
  const port = Number(digits);
  if (isIP(host) === (bracketed === undefined ? 4 : 6) && port <= 65_535) return { host, port };
  throw refused(
    `not an address and a port: ${listen.slice(0, 100)}`,
    "Use a literal address, for example 127.0.0.1:7777 or [::1]:7777: a name may resolve to another address.",
  );
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw refused(`${path} cannot be read (${String(error.code)})`, "Give files in PEM that you may read.");
  }
}

function readPrivate(path: string): Buffer {
  const key = read(path);
  if ((statSync(path).mode & 0o007) === 0) return key;
  throw refused(`the key ${path} is readable by other users`, `Restrict it: chmod 600 ${path}`);
}

function refused(message: string, hint: string): TmpmError {
  return new TmpmError("LISTEN_REFUSED", message, { hint });
}
