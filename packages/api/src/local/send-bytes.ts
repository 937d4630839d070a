import type { Socket } from "node:net";
import { piecesOf, type RequestBytes } from "../upload-bytes.js";

/** The headers of a body of bytes: its length, or chunked encoding (RFC 9112, 7.1). */
export function bytesHeaders({ size }: RequestBytes): Record<string, string> {
  const length = size === null ? { "Transfer-Encoding": "chunked" } : { "Content-Length": String(size) };
  return { "Content-Type": "application/octet-stream", ...length };
}

/** Writes the bytes with backpressure, until the other end stops reading. @throws the errors of the bytes */
export async function sendBytes(socket: Socket, { value, size }: RequestBytes): Promise<void> {
  const chunked = size === null;
  for await (const piece of piecesOf(value)) {
    if (socket.destroyed) return;
    if (piece.byteLength === 0) continue;
    if (chunked) socket.write(`${piece.byteLength.toString(16)}\r\n`);
    const taken = socket.write(piece);
    if (chunked) socket.write("\r\n");
    if (!taken) await drained(socket);
  }
  if (chunked && !socket.destroyed) socket.write("0\r\n\r\n");
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      socket.off("drain", settle);
      socket.off("close", settle);
      resolve();
    };
    socket.on("drain", settle);
    socket.on("close", settle);
  });
}
