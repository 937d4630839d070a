import { TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { isLive } from "../owners/require-room.js";
import { budgetHold } from "../usage/budget.js";
import { actorOf } from "./authorise.js";
import { allRecords, childrenOf, lineageOf } from "./family.js";
import { requireGrant } from "./held-grant.js";
import type { Spawned } from "./narrow.js";

/**
 * Refuses a child beyond the limits of its parent's grant, for a caller that serialises creation. @throws LINEAGE_LIMIT, GRANT_REFUSED,
 * TOKEN_REFUSED
 */
export async function requireLineage(ctx: Pick<Context, "store" | "usage">, { parent, lineage }: Spawned): Promise<void> {
  const caller = await actorOf(ctx, parent);
  const grant = await requireGrant(ctx, caller);
  const spent = await budgetHold(ctx, caller);
  if (spent !== null)
    throw new TmpmError("LINEAGE_LIMIT", `session ${caller.name} cannot start another: ${spent.evidence.join("; ")}`, {
      hint: "Finish the running work within the budget; the user can raise it.",
      details: { limit: "budget" },
    });
  const records = await allRecords(ctx);
  const alive = childrenOf(records, parent).filter(isLive).length;
  if (alive >= grant.children) throw reached("children", { session: caller.name, count: alive, limit: grant.children });
  const started = lineageOf(records, lineage.root).length;
  if (started >= grant.lineage) throw reached("lineage", { session: caller.name, count: started, limit: grant.lineage });
}

interface Reached {
  readonly session: string;
  readonly count: number;
  readonly limit: number;
}

const WORDS = {
  children: ({ count }: Reached) => `${count} of its children are running`,
  lineage: ({ count }: Reached) => `${count} sessions were started in its lineage`,
  sends_per_hour: ({ count }: Reached) => `it sent ${count} texts within the last hour`,
} as const;

export function reached(limit: keyof typeof WORDS, of: Reached): TmpmError {
  return new TmpmError(
    "LINEAGE_LIMIT",
    `session ${of.session} is at a limit of its grant: ${WORDS[limit](of)}, and the maximum is ${of.limit}`,
    {
      hint: "Finish the running work within the limit; the user can raise it with `tmpm set --grant`.",
      details: { limit, count: of.count, most: of.limit },
    },
  );
}
