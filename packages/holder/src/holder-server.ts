import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { type ErrorBody, isTmpmError, TmpmError, toErrorBody, withEffect } from "@tmpm/core/errors";
import { encodeFrame, type Frame, frameReader } from "./frame.js";
import type { HolderFacts } from "./holder-facts.js";
import type { HolderClient, HolderReply, HolderRequest } from "./holder-program.js";

export interface HolderServerOptions {
  readonly facts: () => HolderFacts;
  readonly call: (request: HolderRequest, client: HolderClient) => Promise<HolderReply>;
  readonly left: (client: HolderClient) => void;
}

export interface HolderServer {
  /** Replaces anything at the socket's path. */
  listen(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Implements the holders' protocol for any number of clients. */
export function holderServer(options: HolderServerOptions): HolderServer {
  const open = new Map<Socket, HolderClient>();
  let lastId = 0;
  let server: Server | null = null;

  function serve(socket: Socket): void {
    const client = clientOf(socket, ++lastId);
    open.set(socket, client);
    socket.write(encodeFrame({ body: { hello: options.facts() } }));
    const read = frameReader((frame) => void answer(socket, { frame, client, call: options.call }));
    socket.on("data", (chunk: Buffer) => {
      try {
        read(chunk);
      } catch (error) {
        // A peer with another protocol is not a client.
        if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
        socket.destroy();
      }
    });
    // The cause does not matter: `close` follows.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      open.delete(socket);
      options.left(client);
    });
  }

  return {
    async listen(path) {
      server?.close();
      rmSync(path, { force: true });
      const made = createServer(serve);
      await new Promise<void>((resolve, reject) => {
        made.once("error", reject);
        made.listen(path, () => resolve());
      });
      chmodSync(path, 0o600);
      server = made;
    },
    async close() {
      server?.close();
      await Promise.all([...open.keys()].map(flushed));
    },
  };
}

interface Asked {
  readonly frame: Frame;
  readonly client: HolderClient;
  readonly call: HolderServerOptions["call"];
}

async function answer(socket: Socket, { frame, client, call }: Asked): Promise<void> {
  const request = requestOf(frame);
  if (request === null) return void socket.destroy();
  try {
    const reply = await call(request, client);
    socket.write(encodeReply(request.id, reply));
  } catch (error) {
    socket.write(encodeFrame({ body: { id: request.id, error: bodyOf(error) } }));
  }
}

/** The call was made, even if its reply cannot be sent. */
function encodeReply(id: number, { value, bytes }: HolderReply): Buffer {
  try {
    return encodeFrame({ body: { id, value }, bytes });
  } catch (error) {
    throw withEffect(error, "unknown");
  }
}

function requestOf({ body, bytes }: Frame): (HolderRequest & { readonly id: number }) | null {
  if (typeof body !== "object" || body === null || !("id" in body) || !("verb" in body)) return null;
  const { id, verb } = body;
  if (typeof id !== "number" || typeof verb !== "string") return null;
  return { id, verb, args: "args" in body ? body.args : null, bytes };
}

function bodyOf(error: unknown): ErrorBody {
  if (isTmpmError(error)) return toErrorBody(error);
  return toErrorBody(new TmpmError("INTERNAL", error instanceof Error ? error.message : String(error), { effect: "unknown" }));
}

function clientOf(socket: Socket, id: number): HolderClient {
  return {
    id,
    emit(event, bytes) {
      try {
        return socket.write(encodeFrame({ body: { event }, bytes }));
      } catch (error) {
        if (!isTmpmError(error)) throw error;
        // The client would miss an event.
        socket.destroy();
        return true;
      }
    },
    drained: () =>
      new Promise((resolve) => {
        if (socket.destroyed || !socket.writableNeedDrain) return resolve();
        const done = () => {
          socket.off("drain", done).off("close", done);
          resolve();
        };
        socket.on("drain", done).on("close", done);
      }),
  };
}

function flushed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once("close", () => resolve());
    socket.end(() => socket.destroy());
  });
}
