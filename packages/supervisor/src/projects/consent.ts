import { timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";

/** The content of a project file: the source of workspaces, and the digest of the file. */
export interface SetupContent {
  readonly source: string;
  readonly sha256: string;
}

/** Branches may have different files: the newest contents of one source are remembered, up to this number. */
const KEPT = 20;

export async function isAgreed(ctx: Pick<Context, "consentStore" | "report">, { source, sha256 }: SetupContent): Promise<boolean> {
  const { documents, damaged } = await ctx.consentStore.all();
  for (const { path, reason } of damaged) ctx.report({ doing: `reading the consent at ${path}`, error: new Error(reason) });
  return documents.get(source)?.sha256.includes(sha256) ?? false;
}

export function agree(ctx: Pick<Context, "clock" | "consentStore" | "queues">, { source, sha256 }: SetupContent): Promise<void> {
  return ctx.queues.naming.run("consents", async () => {
    const before = (await ctx.consentStore.all()).documents.get(source)?.sha256 ?? [];
    const kept = [...before.filter((other) => other !== sha256), sha256].slice(-KEPT);
    await ctx.consentStore.put(source, { source, sha256: kept, at: timestampFromMs(ctx.clock.now()) });
  });
}

/** Withdraws all consent for a source. Idempotent. */
export function disagree(ctx: Pick<Context, "consentStore" | "queues">, source: string): Promise<void> {
  return ctx.queues.naming.run("consents", () => ctx.consentStore.delete(source));
}
