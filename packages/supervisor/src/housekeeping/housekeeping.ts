import type { Context } from "../context.js";
import { reported } from "../reported.js";
import { forgetOldUploads } from "../uploads/forget-uploads.js";
import { emptyTrash } from "../workspace/empty-trash.js";
import { type EvictionResult, evict } from "./evict.js";
import { reapEphemeral } from "./reap-ephemeral.js";

export interface Housekept extends EvictionResult {
  /** Ephemeral sessions that were removed. */
  readonly reaped: readonly string[];
}

/** One round of periodic work. Returns the ids of affected sessions. A failing step is reported, and the others still run. */
export async function housekeep(ctx: Context): Promise<Housekept> {
  const reaped = await reported(ctx, { doing: "removing ephemeral sessions", task: () => reapEphemeral(ctx) });
  await reported(ctx, { doing: "emptying the trash", task: () => emptyTrash(ctx) });
  await reported(ctx, { doing: "deleting the files of removed sessions", task: () => forgetOldUploads(ctx) });
  const evicted = await reported(ctx, { doing: "archiving and deleting finished sessions", task: () => evict(ctx) });
  return { reaped: reaped ?? [], ...(evicted ?? { archived: [], deleted: [] }) };
}

/** After a pause of this many rounds the clock is not trusted until the next one: it may have jumped, and deletions are final. */
const MOST_ROUNDS = 10;

/** Runs a round whenever one is due: may be called at any rate. The first comes one interval after the start. */
export function housekeeping({ clock, settings }: Pick<Context, "clock" | "settings">, round: () => Promise<unknown>): () => Promise<void> {
  let last = clock.now();
  return async () => {
    const passed = clock.now() - last;
    if (passed >= 0 && passed < settings.housekeepingMs) return;
    last = clock.now();
    if (passed >= 0 && passed <= MOST_ROUNDS * settings.housekeepingMs) await round();
  };
}
