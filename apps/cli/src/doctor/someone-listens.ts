import { createConnection } from "node:net";

/** Whether a unix socket accepts connections; null if unknown after the time limit. */
export function someoneListens(path: string, ms = 3_000): Promise<boolean | null> {
  return new Promise((resolve) => {
    const connection = createConnection(path);
    const settle = (answer: boolean | null) => {
      connection.destroy();
      resolve(answer);
    };
    connection.setTimeout(ms, () => settle(null));
    connection.on("connect", () => settle(true));
    connection.on("error", (error) => {
      const code = "code" in error ? error.code : null;
      settle(code === "ECONNREFUSED" || code === "ENOENT" ? false : null);
    });
  });
}
