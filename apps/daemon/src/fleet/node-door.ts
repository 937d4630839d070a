import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { isTmpmError, requireSocketPath, TmpmError } from "@tmpm/core";
import { answerError, joined, type NodeLink } from "@tmpm/fleet";

export interface NodeDoorOptions {
  /** In a private folder. */
  readonly path: string;
  readonly label: string;
  /** @throws NODE_OFFLINE */
  readonly link: () => Promise<NodeLink>;
}

export interface NodeDoor {
  close(): Promise<void>;
}

/** A local socket at which the daemon of another machine answers; if that is unreachable, with the error. @throws SOCKET_PATH_TOO_LONG */
export async function nodeDoor({ path, label, link }: NodeDoorOptions): Promise<NodeDoor> {
  requireSocketPath(path, "Choose a shorter label, or a shorter folder with TMPM_HOME or TMPM_SOCKET.");
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => undefined);
    void pass(socket);
  });

  async function pass(socket: Socket): Promise<void> {
    try {
      const exchange = (await link()).open();
      joined(socket, exchange);
    } catch (error) {
      answerError(socket, named(error));
    }
  }

  function named(error: unknown): TmpmError {
    if (!isTmpmError(error)) return new TmpmError("NODE_OFFLINE", `${label} does not answer`, { cause: error });
    return new TmpmError(error.code, `${label} does not answer: ${error.message}`, {
      hint: error.hint ?? `\`tmpm nodes doctor ${label}\` shows details.`,
      details: { node: label },
    });
  }

  // Left by a killed daemon.
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  server.unref();
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
