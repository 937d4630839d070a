import { isIP } from "node:net";

/** Whether a host, as in a URL or as a literal address, is this machine: `localhost`, a name below it (RFC 6761, 6.3), 127.0.0.0/8 or ::1. */
export function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    host === "[::1]" ||
    (isIP(host) === 4 && host.startsWith("127."))
  );
}

/** Whether what is sent to an address is encrypted, or does not leave this machine. */
export function isProtected({ protocol, hostname }: Pick<URL, "protocol" | "hostname">): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
