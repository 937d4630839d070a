import { createConnection } from "node:net";
import { hasErrno, shortageOf } from "@tmpm/core";

const PATIENCE_MS = 3_000;

export interface ServedOptions {
  readonly socket: string;
  /** Whether an unreachable process may listen: its socket file was removed or replaced, or its backlog is full (macOS). */
  readonly mayListen: () => Promise<boolean>;
}

/** Whether a process may serve a unix socket. False only with proof from the system. */
export async function isServed({ socket, mayListen }: ServedOptions): Promise<boolean> {
  try {
    return (await mayAnswer(socket)) || (await mayListen());
  } catch (error) {
    if (shortageOf(error) === null) throw error;
    return true;
  }
}

function mayAnswer(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    const settle = (served: boolean) => {
      connection.destroy();
      resolve(served);
    };
    connection.setTimeout(PATIENCE_MS, () => settle(true));
    connection.on("connect", () => settle(true));
    connection.on("error", (error) => settle(!hasErrno(error, "ECONNREFUSED", "ENOENT")));
  });
}
