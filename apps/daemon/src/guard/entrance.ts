import type { PublicUrl } from "../listen/public-url.js";

/**
 * The listener that received a request. On the unix socket the file system has checked the user, and browsers cannot connect; on TCP any user of the
 * machine, and every web page open on it, may send requests.
 */
export type Entrance = SocketEntrance | TcpEntrance;

export interface SocketEntrance {
  readonly kind: "socket";
  /** Exact `Host` headers. */
  readonly hosts: ReadonlySet<string>;
}

export interface TcpEntrance {
  readonly kind: "tcp";
  readonly hosts: ReadonlySet<string>;
  readonly scheme: "http" | "https";
  /** The cookie of a login: browsers share cookies between the ports of a host. */
  readonly cookie: string;
  /** The address for browsers, with a host name unique on this machine. */
  readonly loginUrl: string;
  /** The public address of a proxy in front of it; null without one. */
  readonly published: PublicUrl | null;
}

/** Port 80 is http's default, so both are the same. */
export const SOCKET_ENTRANCE: SocketEntrance = { kind: "socket", hosts: new Set(["localhost", "localhost:80"]) };
