import { TmpmError } from "../errors.js";

/** Maximum bytes of a unix socket's path: with its final zero it has at most 104 bytes on macOS and 108 on Linux. */
export const MOST_SOCKET_PATH = 103;

export function fitsSocket(path: string): boolean {
  return bytesOf(path) <= MOST_SOCKET_PATH;
}

/** The same path. @throws SOCKET_PATH_TOO_LONG */
export function requireSocketPath(path: string, hint?: string): string {
  if (fitsSocket(path)) return path;
  const bytes = bytesOf(path);
  throw new TmpmError("SOCKET_PATH_TOO_LONG", `the socket path has ${bytes} bytes; unix sockets allow ${MOST_SOCKET_PATH}: ${path}`, {
    ...(hint === undefined ? {} : { hint }),
    details: { path, bytes, limit: MOST_SOCKET_PATH },
  });
}

function bytesOf(path: string): number {
  return new TextEncoder().encode(path).length;
}
