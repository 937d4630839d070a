import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** A listening server, and how to end it. */
export interface OpenServer {
  /** Accepts no new connections. Open ones continue. */
  leave(): void;
  /** Accepts no new connections, and lets requests in progress end. Resolves once every connection has ended. */
  close(): Promise<void>;
  /** Cuts the remaining connections. */
  cut(): void;
}

const IDLE_MS = 50;
const QUIET_MS = 250;

export function openServer(server: Server): OpenServer {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  const silent = silentClients(server);
  let closed: Promise<void> | null = null;

  function leave(): Promise<void> {
    closed ??= new Promise<void>((resolve) => void server.close(() => resolve()));
    return closed;
  }

  return {
    leave: () => void leave(),
    async close() {
      // A request just being sent on an open connection is still answered.
      for (const deadline = performance.now() + QUIET_MS; open.size > 0 && performance.now() < deadline; ) await sleep(10);
      const ended = leave();
      // A connection is idle only after its response, and stays open for the next request.
      const timer = setInterval(() => {
        server.closeIdleConnections();
        for (const client of silent) client.destroy();
      }, IDLE_MS);
      return ended.finally(() => clearInterval(timer));
    },
    cut() {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Connections without a pending request. Node counts unused ones as busy, but they must not keep the daemon alive. */
export function silentClients(server: Server): ReadonlySet<Duplex> {
  const silent = new Set<Duplex>();
  server.on(server instanceof SecureServer ? "secureConnection" : "connection", (client: Duplex) => {
    silent.add(client);
    client.once("close", () => silent.delete(client));
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    silent.delete(socket);
    response.once("close", () => {
      if (!socket.destroyed) silent.add(socket);
    });
  });
  server.on("upgrade", (_request: IncomingMessage, client: Duplex) => silent.delete(client));
  return silent;
}
