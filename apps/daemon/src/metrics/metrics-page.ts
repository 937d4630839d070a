import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import type { Guard } from "../guard/guard.js";
import { processMetrics } from "./process-metrics.js";

/** Serves the metrics in the Prometheus format, to observers. The process itself is measured from the first scrape. */
export function metricsPage(
  app: FastifyInstance,
  { guard, registry }: { readonly guard: Pick<Guard, "permit">; readonly registry: Registry },
): void {
  let scraped = false;
  app.get("/metrics", { onRequest: async ({ raw }) => void (await guard.permit(raw, { scope: "observer" })) }, async (_request, reply) => {
    if (!scraped) processMetrics(registry);
    scraped = true;
    const text = await registry.metrics();
    return reply.type(registry.contentType).send(text);
  });
}
