import { randomBytes } from "node:crypto";
import type { OpenApiAnswer } from "@tmpm/api";
import { type OpenApi, referencePage } from "@tmpm/api/openapi";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Guard } from "../guard/guard.js";
import { pageHeaders } from "../guard/headers.js";

export interface DocumentationOptions {
  readonly guard: Pick<Guard, "permit">;
  readonly version: string;
}

/** The API's description for programs. It is large, so it is read on request. */
export async function description(version: string): Promise<OpenApi & OpenApiAnswer> {
  const written = await import("@tmpm/api/openapi.json", { with: { type: "json" } });
  // A test of @tmpm/api compares the file with the contracts.
  const document = written.default as unknown as OpenApi & OpenApiAnswer;
  return { ...document, info: { ...document.info, version } };
}

/** Serves the same to people: one page without scripts or external resources. */
export function documentation(app: FastifyInstance, { guard, version }: DocumentationOptions): void {
  const observed = { onRequest: async ({ raw }: FastifyRequest) => void (await guard.permit(raw, { scope: "observer" })) };
  app.get("/docs", observed, async (_request, reply) => {
    const nonce = randomBytes(16).toString("base64");
    const page = referencePage(await description(version), { nonce });
    return reply.headers({ ...pageHeaders(nonce), "content-type": "text/html; charset=utf-8" }).send(page);
  });
}
