import { X509Certificate } from "node:crypto";
import type { TcpEntrance } from "../guard/entrance.js";
import type { PublicUrl } from "./public-url.js";
import { authorityOf, type TcpAddress } from "./tcp-address.js";

export interface TcpEntranceOptions {
  /** With its actual port. */
  readonly address: TcpAddress;
  /** Random lower-case letters and digits. */
  readonly label: string;
  readonly published: PublicUrl | null;
}

/**
 * The entrance of a TCP address. A page at `http://<label>.localhost:PORT` does not share its cookie with other servers of this machine; the names in a
 * certificate are also names of the daemon.
 */
export function tcpEntrance({ address, label, published }: TcpEntranceOptions): TcpEntrance {
  const { port, tls } = address;
  const scheme = tls === null ? "http" : "https";
  const certified = tls === null ? [] : certifiedNames(tls.cert);
  const loginHost = tls === null ? `${label}.localhost:${port}` : `${certified[0] ?? "localhost"}:${port}`;
  const hosts = [...["127.0.0.1", "localhost", "[::1]", ...certified].map((name) => `${name}:${port}`), authorityOf(address), loginHost];
  const implied = port === (scheme === "https" ? 443 : 80) ? hosts.map((name) => name.slice(0, name.lastIndexOf(":"))) : [];
  return {
    kind: "tcp",
    hosts: new Set([...hosts, ...implied, ...(published === null ? [] : [published.host])]),
    scheme,
    cookie: `tmpm_${port}`,
    loginUrl: published === null ? `${scheme}://${loginHost}/login` : `${published.origin}${published.path}login`,
    published,
  };
}

/** Whole names and addresses only: a wildcard may cover another party's names. */
function certifiedNames(cert: Buffer): readonly string[] {
  const { subjectAltName = "" } = new X509Certificate(cert);
  return subjectAltName.split(", ").flatMap((entry) => {
    const dns = /^DNS:([\w.-]+)$/.exec(entry)?.[1];
    const address = /^IP Address:([\da-f.:]+)$/i.exec(entry)?.[1];
    if (dns !== undefined) return [dns.toLowerCase()];
    return address === undefined ? [] : [hostOf(address)];
  });
}

/** As clients write it in `Host`: an IPv6 address in its shortest form, in brackets. */
function hostOf(address: string): string {
  return new URL(`http://${address.includes(":") ? `[${address}]` : address}`).hostname;
}
