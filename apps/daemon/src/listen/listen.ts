import type { FastifyInstance } from "fastify";
import { SOCKET_ENTRANCE, type TcpEntrance } from "../guard/entrance.js";
import type { Guard } from "../guard/guard.js";
import type { Descriptors } from "./descriptors.js";
import { door } from "./door.js";
import { listenSocket } from "./listen-socket.js";
import { listenTcp } from "./listen-tcp.js";
import type { OpenServer } from "./open-server.js";
import type { PublicUrl } from "./public-url.js";
import type { TcpAddress } from "./tcp-address.js";
import { tcpEntrance } from "./tcp-entrance.js";

export interface ListenOptions {
  readonly guard: Guard;
  readonly version: string;
  readonly socket: string;
  /** Null to listen on the socket only. */
  readonly tcp: TcpAddress | null;
  /** The public address of a proxy in front of it. */
  readonly published?: PublicUrl | null;
  /** Random lower-case letters and digits. */
  readonly label: () => string;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  /** Maximum number of connections on the socket. */
  readonly maxConnections?: number | undefined;
  readonly headersMs?: number | undefined;
  readonly files?: Descriptors | undefined;
}

/** An open TCP address. */
export interface TcpDoor {
  readonly entrance: TcpEntrance;
  readonly url: string;
}

export interface Listening extends OpenServer {
  /** Null when listening on the socket only. */
  readonly tcp: TcpDoor | null;
  /** Opens a door unless one is open; returns the open one. @throws LISTEN_FAILED */
  openTcp(address: TcpAddress): Promise<TcpDoor>;
  /** Closes it, and cuts its connections. */
  closeTcp(): void;
}

/** Opens the doors of the API. @throws UNSAFE_PATH, DAEMON_RUNNING, LISTEN_FAILED */
export async function listen(app: FastifyInstance, options: ListenOptions): Promise<Listening> {
  const { guard, version, socket, tcp, published = null, label, report, maxConnections, headersMs, files } = options;
  await app.ready();
  const onSocket = await listenSocket({
    path: socket,
    report,
    server: () => door({ app, guard, version, entrance: () => SOCKET_ENTRANCE, maxConnections, headersMs, files }),
  });
  let onTcp: OpenTcp | null = null;
  let opening: Promise<unknown> = Promise.resolve();
  const both = () => (onTcp === null ? [onSocket] : [onSocket, onTcp]);

  function openTcpDoor(address: TcpAddress): Promise<TcpDoor> {
    const opened = opening.then(async () => {
      onTcp ??= await openTcp(app, { guard, version, tcp: address, published, label });
      return onTcp.door;
    });
    opening = opened.catch(() => undefined);
    return opened;
  }

  try {
    if (tcp !== null) await openTcpDoor(tcp);
  } catch (error) {
    await onSocket.close();
    throw error;
  }
  return {
    get tcp() {
      return onTcp?.door ?? null;
    },
    openTcp: openTcpDoor,
    closeTcp() {
      onTcp?.leave();
      onTcp?.cut();
      onTcp = null;
    },
    leave() {
      for (const each of both()) each.leave();
    },
    close: async () => void (await Promise.all(both().map((each) => each.close()))),
    cut() {
      for (const each of both()) each.cut();
    },
  };
}

type OpenTcp = OpenServer & { readonly door: TcpDoor };

async function openTcp(
  app: FastifyInstance,
  options: Pick<ListenOptions, "guard" | "version" | "label"> & { readonly tcp: TcpAddress; readonly published: PublicUrl | null },
): Promise<OpenTcp> {
  const { guard, version, tcp, published, label } = options;
  let entrance = tcpEntrance({ address: tcp, label: label(), published });
  const opened = await listenTcp(door({ app, guard, version, entrance: () => entrance, tls: tcp.tls, isPublic: true }), tcp);
  entrance = tcpEntrance({ address: opened.address, label: label(), published });
  const { host, port } = opened.address;
  const url = new URL(`${entrance.scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`).origin;
  return { ...opened, door: { entrance, url } };
}
