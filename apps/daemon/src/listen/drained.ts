import { connect } from "node:net";

const PATIENCE_MS = 1_000;

/**
 * Resolves when all earlier connections to a unix socket are accepted: they are accepted in order and one at a time (libuv 1.45), so a response to
 * the last one proves it. The socket serves HTTP.
 */
export function drained(path: string): Promise<void> {
  return new Promise((resolve) => {
    const last = connect(path, () => last.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"));
    const done = () => {
      last.destroy();
      resolve();
    };
    last.once("data", done).once("error", done).once("close", done).setTimeout(PATIENCE_MS, done);
  });
}
