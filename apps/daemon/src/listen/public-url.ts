import { isProtected } from "@tmpm/api/local";
import { TmpmError } from "@tmpm/core";

/** The public address of a proxy that forwards everything to the daemon. */
export interface PublicUrl {
  /** As browsers send it: without the scheme's own port. */
  readonly host: string;
  readonly origin: string;
  readonly isSecure: boolean;
  /** The path prefix that the proxy strips: `/` or `/tmpm/`. */
  readonly path: string;
}

/** `TMPM_PUBLIC_URL=https://box.example/tmpm/`. Null when it is not set. @throws LISTEN_REFUSED */
export function publicUrl({ TMPM_PUBLIC_URL: text = "" }: Readonly<Record<string, string | undefined>>): PublicUrl | null {
  if (text === "") return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "" || !/^https?:$/.test(url.protocol))
    throw refused("listen.public_url is not a page address", "For example: https://box.example/tmpm/");
  if (!isProtected(url))
    throw refused("listen.public_url is plain http, which would expose logins and screens", "Give the https address of your proxy.");
  const path = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`;
  if (!/^\/[\w./~-]*$/.test(path)) throw refused("listen.public_url has a path with unusual characters", "Use letters, digits, - and _.");
  return { host: url.host, origin: url.origin, isSecure: url.protocol === "https:", path };
}

function refused(message: string, hint: string): TmpmError {
  return new TmpmError("LISTEN_REFUSED", message, { hint });
}
