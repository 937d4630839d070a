import type { IncomingMessage } from "node:http";
import { TmpmError } from "@tmpm/core";
import type { Entrance, TcpEntrance } from "./entrance.js";
import type { Refused } from "./refused.js";

/**
 * Refuses requests that a foreign web page may have sent: a name that resolves here by DNS, another origin, another site. Everything is compared
 * exactly.
 * On the socket all browser requests are refused, since a tunnel may forward browsers to it.
 */
export function originFault(request: IncomingMessage, entrance: Entrance): Refused | null {
  const { headers } = request;
  const { host = "", origin, cookie, "sec-fetch-site": site } = headers;
  if (!entrance.hosts.has(host)) return unknownHost(host, entrance);
  if (origin !== undefined && !(entrance.kind === "tcp" && origin === ownOrigin(entrance, host))) return foreign("Origin");
  const isFollowedLink = entrance.kind === "tcp" && isLinkToLogin(request);
  if (site !== undefined && !(entrance.kind === "tcp" && (site === "same-origin" || site === "none")) && !isFollowedLink)
    return foreign("Sec-Fetch-Site");
  if (entrance.kind === "socket" && cookie !== undefined) return foreign("Cookie");
  return null;
}

function ownOrigin({ scheme, published }: TcpEntrance, host: string): string {
  return host === published?.host ? published.origin : `${scheme}://${host}`;
}

/** The login page, and the dashboard's address, which serves that page to followed links. */
const LOGIN_ADDRESSES: ReadonlySet<string | undefined> = new Set(["/", "/login"]);

/**
 * A link followed from elsewhere, such as a scanned QR code: a top-level window that the linking page can neither frame nor read.
 * Only the login page is shown for it.
 */
export function isLinkToLogin({ method, url, headers }: IncomingMessage): boolean {
  const { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest, origin, authorization } = headers;
  const isElsewhere = site === "cross-site" || site === "same-site";
  return (
    method === "GET" &&
    isElsewhere &&
    origin === undefined &&
    authorization === undefined &&
    mode === "navigate" &&
    dest === "document" &&
    LOGIN_ADDRESSES.has(url)
  );
}

/**
 * Whether the browser itself reports a page of the daemon as the source. A cookie is insufficient: other ports of the host are same-site to `SameSite`,
 * and get the cookie too. Changes require the page's origin.
 */
export function isFromOwnPage({ method, headers }: IncomingMessage, upgrade: boolean): boolean {
  return headers.origin !== undefined || (method === "GET" && !upgrade && headers["sec-fetch-site"] !== undefined);
}

function unknownHost(host: string, entrance: Entrance): Refused {
  const hint =
    entrance.kind === "socket"
      ? "On the socket the host is `localhost`."
      : "Use an address shown by `tmpm daemon status`; through a tunnel, the same port at both ends.";
  return {
    error: new TmpmError("HOST_REFUSED", "the daemon is not known under this host name", { hint, details: { host: host.slice(0, 200) } }),
  };
}

function foreign(header: string): Refused {
  return {
    error: new TmpmError("ORIGIN_REFUSED", `requests of this web page are refused (${header})`, {
      hint: "Programs send neither Origin nor Sec-Fetch-Site; the daemon's own pages are admitted on TCP.",
    }),
  };
}
