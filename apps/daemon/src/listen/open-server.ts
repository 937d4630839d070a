import type { Server } from "node:http";
import type { Socket } from "node:net";

/** A server that listens, and how it ends. */
export interface OpenServer {
  /** Takes no new connections, and lets what is under way end. Resolves once every connection has. */
  close(): Promise<void>;
  /** Cuts the connections that are still open. */
  cut(): void;
}

const IDLE_MS = 50;

export function openServer(server: Server): OpenServer {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return {
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection is idle only after its answer, and stays open for the next request.
      const timer = setInterval(() => server.closeIdleConnections(), IDLE_MS);
      return closed.finally(() => clearInterval(timer));
    },
    cut() {
      for (const socket of open) socket.destroy();
    },
  };
}
