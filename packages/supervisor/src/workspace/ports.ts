import { isTerminal, PORTS_EACH, type SessionPorts, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { choosingNames } from "../launch/session-names.js";

/** The range of port blocks: below the systems' ephemeral ports. */
const [FIRST, END] = [20_000, 30_000];

/**
 * Gives a session with a workspace ten ports, which no other unfinished session has and which are unused. It keeps its ports, unless
 * another session has them by now. Without a way to check ports it gets none.
 */
export function givePorts(ctx: Context, record: SessionRecord): Promise<SessionRecord> {
  const { portsAreFree } = ctx;
  const { workspace } = record;
  if (portsAreFree === undefined || workspace === null) return Promise.resolve(record);
  return choosingNames(ctx, async () => {
    const names = await portNames(ctx, workspace);
    const taken = await takenBases(ctx, record.id);
    const base = record.ports !== null && !taken.has(record.ports.base) ? record.ports.base : await freeBase(portsAreFree, taken);
    const ports: SessionPorts | null = base === null ? null : { base, names: [...names] };
    return ctx.store.update(record.id, (current) => ({ ...current, ports }));
  });
}

/** Without an effect of its own, so it needs no consent. */
async function portNames(ctx: Pick<Context, "workspaces">, workspace: NonNullable<SessionRecord["workspace"]>): Promise<readonly string[]> {
  const found = await ctx.workspaces.setupOf(workspace);
  return found.kind === "found" ? found.setup.ports : [];
}

async function takenBases(ctx: Pick<Context, "store">, id: string): Promise<ReadonlySet<number>> {
  const entries = await ctx.store.list({ archived: true });
  return new Set(
    entries.flatMap((entry) => {
      if (entry.kind !== "session" || entry.record.id === id || isTerminal(entry.record)) return [];
      return entry.record.ports === null ? [] : [entry.record.ports.base];
    }),
  );
}

async function freeBase(areFree: NonNullable<Context["portsAreFree"]>, taken: ReadonlySet<number>): Promise<number | null> {
  for (let base = FIRST; base + PORTS_EACH <= END; base += PORTS_EACH)
    if (!taken.has(base) && (await areFree({ from: base, count: PORTS_EACH }))) return base;
  return null;
}
