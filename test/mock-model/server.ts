import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { anthropic } from "./anthropic.js";
import { chat } from "./chat.js";
import type { Conversation, Protocol, Writer } from "./conversation.js";
import { gemini } from "./gemini.js";
import { limitAnswer } from "./limits.js";
import { responses } from "./responses.js";
import { replyTo } from "./script.js";

const PROTOCOLS: readonly Protocol[] = [anthropic, responses, chat, gemini];

/** One request that asked for words. */
export interface Exchange {
  readonly protocol: string;
  readonly conversation: Conversation;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A model that the agents take for their own: it answers as the prompt asks, on a loopback address, and keeps what it was asked. */
export interface MockModel {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** Faults of the mock itself. */
  readonly faults: readonly unknown[];
  close(): Promise<void>;
}

export async function mockModel(): Promise<MockModel> {
  const exchanges: Exchange[] = [];
  const faults: unknown[] = [];
  const server = createServer((request, response) => {
    handle({ request, response, exchanges }).catch((error: unknown) => {
      if (!(error instanceof Gone)) faults.push(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the mock model has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    exchanges,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly exchanges: Exchange[];
}

async function handle({ request, response, exchanges }: Incoming): Promise<void> {
  const path = new URL(request.url ?? "/", "http://mock").pathname;
  const body: unknown = request.method === "POST" ? JSON.parse((await bytesOf(request)).toString("utf8") || "{}") : null;
  const writer = writerOf(response);
  for (const protocol of request.method === "POST" ? PROTOCOLS : []) {
    const conversation = protocol.read(path, body);
    if (conversation === null) continue;
    exchanges.push({ protocol: protocol.name, conversation, at: Date.now() });
    const reply = replyTo(conversation);
    if (reply.limit !== null)
      return writer.refuse(limitAnswer({ ...reply.limit, protocol: protocol.name, model: conversation.model, nowMs: Date.now() }));
    if (reply.status !== 200) return writer.json(reply.status, protocol.error(reply.status));
    if (reply.hang) await writer.wait(86_400_000);
    return protocol.answer(writer, { conversation, reply });
  }
  if (path.endsWith(":countTokens")) return writer.json(200, { totalTokens: 1 });
  if (path.endsWith("/count_tokens")) return writer.json(200, { input_tokens: 1 });
  if (path.endsWith("/models"))
    return writer.json(200, { object: "list", data: [{ id: "mock-model", object: "model", type: "model" }], has_more: false });
  writer.json(request.method === "GET" ? 404 : 200, {});
}

class Gone extends Error {}

function writerOf(response: ServerResponse): Writer {
  let gone = false;
  let wake: () => void = () => undefined;
  response.on("close", () => {
    gone = !response.writableEnded;
    wake();
  });
  return {
    event(data, name) {
      if (gone) throw new Gone();
      if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
    },
    async wait(ms) {
      if (ms > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      if (gone) throw new Gone();
    },
    end: () => void response.end(),
    json(status, body) {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    },
    refuse({ status, body, headers }) {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(body));
    },
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
