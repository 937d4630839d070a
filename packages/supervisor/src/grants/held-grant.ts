import { type Grant, grantText, narrowedGrant, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { allRecords, ancestorsOf } from "./family.js";

interface Held {
  readonly grant: Grant | null;
  /** The ancestor without a grant that covers it; null for none. */
  readonly lostTo: SessionRecord | null;
}

/** A session's grant within the current ones of its ancestors; null when it or one of them has none. A deleted ancestor does not count. */
export function heldGrant(records: readonly SessionRecord[], record: SessionRecord): Grant | null {
  return heldWithin(records, record).grant;
}

/** @throws GRANT_REFUSED */
export async function requireGrant(ctx: Pick<Context, "store">, caller: SessionRecord): Promise<Grant> {
  const { grant, lostTo } = caller.lineage === null ? { grant: caller.grant, lostTo: null } : heldWithin(await allRecords(ctx), caller);
  if (grant !== null) return grant;
  const why = lostTo === null ? "" : `: the grant of session ${lostTo.name}, which led to it, no longer covers one`;
  throw new TmpmError("GRANT_REFUSED", `session ${caller.name} has no grant${why}`, {
    hint: `The user can grant one with \`tmpm set ${(lostTo ?? caller).name} --grant tree\`.`,
    details: { session: caller.id, grant: null },
  });
}

/** Refuses a grant for a session beyond the current ones of the sessions that led to it. @throws RIGHTS_EXCEEDED */
export async function requireWithinAncestors(ctx: Pick<Context, "store">, wanted: Wanted): Promise<void> {
  const { record, grant } = wanted;
  if (grant === null || record.lineage === null) return;
  const within = heldWithin(await allRecords(ctx), { ...record, grant });
  const most = within.grant === null ? null : grantText(within.grant);
  if (most === grantText(grant)) return;
  const why =
    within.lostTo === null
      ? `the sessions that led to it have less: at most ${most} would count`
      : `the grant of session ${within.lostTo.name}, which led to it, covers none`;
  throw new TmpmError("RIGHTS_EXCEEDED", `session ${record.name} cannot have the grant ${grantText(grant)}: ${why}`, {
    hint:
      most === null
        ? "Extend that session's grant first."
        : `\`tmpm set ${record.name} --grant ${most}\`, or extend the grants of those sessions first.`,
    details: { field: "grant", session: record.id, most: within.grant },
  });
}

interface Wanted {
  readonly record: SessionRecord;
  readonly grant: Grant | null;
}

function heldWithin(records: readonly SessionRecord[], record: SessionRecord): Held {
  let grant = record.grant;
  for (const [index, ancestor] of ancestorsOf(records, record).entries()) {
    if (grant === null) break;
    grant = ancestor.grant === null ? null : narrowedGrant(grant, { held: ancestor.grant, generations: index + 1 });
    if (grant === null) return { grant, lostTo: ancestor };
  }
  return { grant, lostTo: null };
}
