import { type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { isLive } from "../owners/require-room.js";
import { allRecords, descends } from "./family.js";

/**
 * The action that a session requests with its own token. `own`: on itself. `read`: to see sessions within its reach, including itself.
 * `send`: to prompt another one within its reach. `control`: to stop, interrupt or answer a descendant. `start`: to start one.
 */
export type Acting = "own" | "read" | "send" | "control" | "start";

export interface ActingInput {
  /** The calling session's id, proven by its token. */
  readonly actor: string;
  readonly acting: Acting;
  /** The sessions that the request names. */
  readonly sessions: readonly string[];
}

/** Authorizes a session's request, or throws. @throws GRANT_REFUSED, TOKEN_REFUSED, and the errors of `findSession` */
export async function authorise(ctx: Context, { actor, acting, sessions }: ActingInput): Promise<void> {
  const caller = await actorOf(ctx, actor);
  if (acting !== "own" && acting !== "read") requireGrant(caller);
  for (const session of sessions) await requireReach(ctx, { caller, acting, session });
}

/** The record of the calling session. @throws TOKEN_REFUSED when it does not run */
export async function actorOf(ctx: Pick<Context, "store">, actor: string): Promise<SessionRecord> {
  const entry = await ctx.store.get(actor);
  const runs = entry?.kind === "session" && (isLive(entry.record) || entry.record.intent !== null);
  if (entry?.kind === "session" && runs) return entry.record;
  throw new TmpmError("TOKEN_REFUSED", "the token's session is not running", { details: { session: actor } });
}

/** @throws GRANT_REFUSED */
export function requireGrant(caller: SessionRecord): NonNullable<SessionRecord["grant"]> {
  if (caller.grant !== null) return caller.grant;
  throw new TmpmError("GRANT_REFUSED", `session ${caller.name} has no grant`, {
    hint: `The user can grant one with \`tmpm set ${caller.name} --grant tree\`.`,
    details: { session: caller.id, grant: null },
  });
}

interface Wanted {
  readonly caller: SessionRecord;
  readonly acting: Acting;
  readonly session: string;
}

async function requireReach(ctx: Context, { caller, acting, session }: Wanted): Promise<void> {
  const target = await findSession(ctx, session);
  const reason = await outOfReach(ctx, { caller, acting, target });
  if (reason === null) return;
  throw new TmpmError("GRANT_REFUSED", `session ${caller.name} may not do this to session ${target.name}: ${reason}`, {
    details: { session: caller.id, target: target.id, reach: caller.grant?.reach ?? "none" },
  });
}

async function outOfReach(ctx: Context, of: Omit<Wanted, "session"> & { readonly target: SessionRecord }): Promise<string | null> {
  const { caller, acting, target } = of;
  if (target.id === caller.id) return acting === "own" || acting === "read" ? null : "it is the session itself";
  if (acting === "own") return "it concerns another session";
  if (acting === "control") return (await isDescendant(ctx, of)) ? null : "it did not start it";
  return (await isWithinReach(ctx, of)) ? null : "it is not within its reach";
}

interface Pair {
  readonly caller: SessionRecord;
  readonly target: SessionRecord;
}

async function isDescendant(ctx: Context, { caller, target }: Pair): Promise<boolean> {
  return target.lineage !== null && descends(await allRecords(ctx), { id: target.id, ancestor: caller.id });
}

async function isWithinReach(ctx: Context, pair: Pair): Promise<boolean> {
  const { caller, target } = pair;
  if (caller.grant?.reach === "all") return true;
  if (caller.grant?.reach === "project" && caller.project_id === target.project_id) return true;
  return isDescendant(ctx, pair);
}

/** The records visible to a session: itself and those within its reach. @throws TOKEN_REFUSED */
export async function seenBy(ctx: Context, actor: string): Promise<(record: SessionRecord) => boolean> {
  const caller = await actorOf(ctx, actor);
  const records = await allRecords(ctx);
  const reach = caller.grant?.reach ?? "none";
  return (record) =>
    record.id === caller.id ||
    reach === "all" ||
    (reach === "project" && record.project_id === caller.project_id) ||
    descends(records, { id: record.id, ancestor: caller.id });
}
