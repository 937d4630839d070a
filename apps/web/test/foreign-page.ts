import { createServer } from "node:http";

/** A foreign web page, on a port of this machine. */
export async function foreignPage(): Promise<{ readonly port: number } & AsyncDisposable> {
  const server = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end("<!doctype html><title>foreign</title>"),
  );
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
