import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { mcpServer, type ServerOptions } from "./server.js";

/** Serves over standard input and output until the client closes its end. */
export function serveOverStdio(options: ServerOptions): Promise<void> {
  return new Promise((resolve) => {
    serveStdio(() => mcpServer(options), { legacy: "serve", onerror: () => undefined });
    process.stdin.once("close", resolve);
    process.stdin.once("end", resolve);
  });
}
