import { createMcpHandler } from "@modelcontextprotocol/server";
import { mcpServer, type ServerOptions } from "./server.js";

export interface HttpCall {
  readonly request: Request;
  /** The request's body, parsed. */
  readonly body: unknown;
}

/** Answers one request of Streamable HTTP. Nothing is kept between requests, so there are no protocol sessions and no streams to resume. */
export function answerHttp(options: ServerOptions, { request, body }: HttpCall): Promise<Response> {
  const handler = createMcpHandler(() => mcpServer(options), { legacy: "stateless", maxSubscriptions: 0, onerror: () => undefined });
  return handler.fetch(request, { parsedBody: body });
}
