import type { StreamTransport } from "../stream-transport.js";
import type { Transport } from "../transport.js";
import { webTransport } from "../web-transport.js";
import { openStreamSocket } from "./stream-socket.js";

export interface TcpTransportOptions {
  /** Such as `http://127.0.0.1:7700`. */
  readonly url: string;
  readonly token: string;
}

/** HTTP over TCP in Node, for a daemon that listens there. @throws DAEMON_UNREACHABLE */
export function tcpTransport({ url, token }: TcpTransportOptions): Transport & StreamTransport {
  const headers = { authorization: `Bearer ${token}` };
  return {
    request: webTransport({ url, token }).request,
    connect: (request, listener) =>
      openStreamSocket({ ...request, headers: { ...headers, ...request.headers } }, { target: { url }, listener }),
  };
}
