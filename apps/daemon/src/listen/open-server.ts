import type { Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A server that listens, and how it ends. */
export interface OpenServer {
  /** Takes no new connections, and lets what is under way end. Resolves once every connection has. */
  close(): Promise<void>;
  /** Cuts the connections that are still open. */
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
  return {
    async close() {
      // Whoever is about to ask on an open connection still gets an answer.
      for (const deadline = performance.now() + QUIET_MS; open.size > 0 && performance.now() < deadline; ) await sleep(10);
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      // A connection is idle only after its answer, and stays open for the next request.
      const timer = setInterval(() => server.closeIdleConnections(), IDLE_MS);
      return closed.finally(() => clearInterval(timer));
    },
    cut() {
      for (const socket of open) socket.destroy();
    },
  };
}
