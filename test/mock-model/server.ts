import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { anthropic } from "./anthropic.js";
import { chat } from "./chat.js";
import type { Conversation, Protocol, Reply, Writer } from "./conversation.js";
import { type Counts, countsOf } from "./counts.js";
import { gemini } from "./gemini.js";
import { limitAnswer } from "./limits.js";
import { responses } from "./responses.js";
import { replyTo } from "./script.js";

const PROTOCOLS: readonly Protocol[] = [anthropic, responses, chat, gemini];

/** One request for text. */
export interface Exchange {
  readonly protocol: string;
  readonly conversation: Conversation;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A completely answered request, and the usage that its answer reports. */
export interface Answered extends Pick<Exchange, "protocol" | "conversation"> {
  readonly counts: Counts;
}

/** A model that the agents use as their own: it answers as the prompt requests, on a loopback address, and records its requests. */
export interface MockModel {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  readonly answered: readonly Answered[];
  /** Faults of the mock itself. */
  readonly faults: readonly unknown[];
  close(): Promise<void>;
}

export async function mockModel(): Promise<MockModel> {
  const exchanges: Exchange[] = [];
  const answered: Answered[] = [];
  const failures = new Map<string, number>();
  const faults: unknown[] = [];
  const server = createServer((request, response) => {
    handle({ request, response, exchanges, answered, failures }).catch((error: unknown) => {
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
    answered,
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
  readonly answered: Answered[];
  /** Number of failures of each prompt. */
  readonly failures: Map<string, number>;
}

async function handle({ request, response, exchanges, answered, failures }: Incoming): Promise<void> {
  const path = new URL(request.url ?? "/", "http://mock").pathname;
  const body: unknown = request.method === "POST" ? JSON.parse((await bytesOf(request)).toString("utf8") || "{}") : null;
  const writer = writerOf(response);
  for (const protocol of request.method === "POST" ? PROTOCOLS : []) {
    const conversation = protocol.read(path, body);
    if (conversation === null) continue;
    exchanges.push({ protocol: protocol.name, conversation, at: Date.now() });
    const reply = replyTo(conversation);
    const fails = stillFails(failures, { conversation, reply });
    if (fails && reply.limit !== null)
      return writer.refuse(limitAnswer({ ...reply.limit, protocol: protocol.name, model: conversation.model, nowMs: Date.now() }));
    if (fails && reply.status !== 200) return writer.json(reply.status, protocol.error(reply.status));
    if (reply.hang) await writer.wait(86_400_000);
    counted += 1;
    const counts = countsOf(counted, protocol.name);
    await protocol.answer(writer, { conversation, reply, counts });
    answered.push({ protocol: protocol.name, conversation, counts });
    return;
  }
  if (path.endsWith(":countTokens")) return writer.json(200, { totalTokens: 1 });
  if (path.endsWith("/count_tokens")) return writer.json(200, { input_tokens: 1 });
  if (path.endsWith("/models"))
    return writer.json(200, { object: "list", data: [{ id: "mock-model", object: "model", type: "model" }], has_more: false });
  writer.json(request.method === "GET" ? 404 : 200, {});
}

/** Answers of all mock models of this process. */
let counted = 0;

function stillFails(
  failures: Map<string, number>,
  { conversation, reply }: { readonly conversation: Conversation; readonly reply: Reply },
): boolean {
  if (reply.status === 200 && reply.limit === null) return false;
  const prompt = conversation.userTexts.join("\n");
  const before = failures.get(prompt) ?? 0;
  failures.set(prompt, before + 1);
  return before < reply.times;
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
