import { randomBytes } from "node:crypto";
import { type OpenApi, referencePage } from "@tmpm/api/openapi";
import written from "@tmpm/api/openapi.json" with { type: "json" };
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Guard } from "./guard/guard.js";
import { pageHeaders } from "./guard/headers.js";

export interface DocumentationOptions {
  readonly guard: Pick<Guard, "permit">;
  readonly version: string;
}

/** Serves the API's description: for programs as OpenAPI, for people as one page without scripts and without anything from elsewhere. */
export function documentation(app: FastifyInstance, { guard, version }: DocumentationOptions): void {
  const document = { ...written, info: { ...written.info, version } };
  const json = JSON.stringify(document);
  const observed = { onRequest: async ({ raw }: FastifyRequest) => void (await guard.permit(raw, { scope: "observer" })) };
  app.get("/openapi.json", observed, async (_request, reply) => reply.type("application/json; charset=utf-8").send(json));
  app.get("/docs", observed, async (_request, reply) => {
    const nonce = randomBytes(16).toString("base64");
    // A test of @tmpm/api compares the file with what the contracts say.
    const page = referencePage(document as unknown as OpenApi, { nonce });
    return reply.headers({ ...pageHeaders(nonce), "content-type": "text/html; charset=utf-8" }).send(page);
  });
}
