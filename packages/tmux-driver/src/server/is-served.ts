import { createConnection } from "node:net";
import { hasErrno } from "@tmpm/core";

const PATIENCE_MS = 3_000;

/** Whether a process may serve a unix socket. False only with proof from the system: a missing socket, or one without a listener. */
export function isServed(socket: string): Promise<boolean> {
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
