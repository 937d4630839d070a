import { randomBytes } from "node:crypto";
import type { OpenApiAnswer } from "@tmpm/api";
import { type OpenApi, referencePage } from "@tmpm/api/openapi";
import written from "@tmpm/api/openapi.json" with { type: "json" };
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Guard } from "./guard/guard.js";
import { pageHeaders } from "./guard/headers.js";

export interface DocumentationOptions {
  readonly guard: Pick<Guard, "permit">;
  readonly version: string;
}

/** A test of @tmpm/api compares the file with what the contracts say. */
const document = written as unknown as OpenApi & OpenApiAnswer;

/** The API's description for programs. */
export function description(version: string): OpenApi & OpenApiAnswer {
  return { ...document, info: { ...document.info, version } };
}

/** Serves the same to people: one page without scripts and without anything from elsewhere. */
export function documentation(app: FastifyInstance, { guard, version }: DocumentationOptions): void {
  const observed = { onRequest: async ({ raw }: FastifyRequest) => void (await guard.permit(raw, { scope: "observer" })) };
  app.get("/docs", observed, async (_request, reply) => {
    const nonce = randomBytes(16).toString("base64");
    const page = referencePage(description(version), { nonce });
    return reply.headers({ ...pageHeaders(nonce), "content-type": "text/html; charset=utf-8" }).send(page);
  });
}
