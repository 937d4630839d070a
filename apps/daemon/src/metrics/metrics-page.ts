import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import type { Guard } from "../guard/guard.js";

/** Serves the metrics in the Prometheus format, to observers. */
export function metricsPage(
  app: FastifyInstance,
  { guard, registry }: { readonly guard: Pick<Guard, "permit">; readonly registry: Registry },
): void {
  app.get("/metrics", { onRequest: async ({ raw }) => void (await guard.permit(raw, { scope: "observer" })) }, async (_request, reply) => {
    const text = await registry.metrics();
    return reply.type(registry.contentType).send(text);
  });
}
