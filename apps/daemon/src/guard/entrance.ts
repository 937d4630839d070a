import type { PublicUrl } from "../listen/public-url.js";

/**
 * Where a request came in. On the unix socket the file system has checked who asks, and no browser comes that way; on TCP anybody of the machine,
 * and every web page that its user looks at, may ask.
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
  /** The address that a browser is sent to, whose name no other server of this machine has. */
  readonly loginUrl: string;
  /** Where a proxy in front of it is reached; null without one. */
  readonly published: PublicUrl | null;
}

/** As the port 80 is http's own, both name the same. */
export const SOCKET_ENTRANCE: SocketEntrance = { kind: "socket", hosts: new Set(["localhost", "localhost:80"]) };
