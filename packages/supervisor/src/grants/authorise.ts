import { type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSeen, type VisibleSearch } from "../find-session.js";
import { isLive } from "../owners/require-room.js";
import { allRecords, descends } from "./family.js";
import { heldGrant, requireGrant } from "./held-grant.js";

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

/**
 * Authorizes a session's request, or throws. Returns the ids of the named sessions, in their order, which the request must use: what it
 * named may also mean sessions that the caller does not see. @throws GRANT_REFUSED, TOKEN_REFUSED, SESSION_NOT_FOUND, SESSION_AMBIGUOUS
 */
export async function authorise(ctx: Context, { actor, acting, sessions }: ActingInput): Promise<readonly string[]> {
  const caller = await actorOf(ctx, actor);
  if (acting !== "own" && acting !== "read") await requireGrant(ctx, caller);
  const others = sessions.filter((session) => session !== caller.id);
  const sees = others.length === 0 ? (record: SessionRecord) => record.id === caller.id : await seenBy(ctx, actor);
  const ids: string[] = [];
  for (const session of sessions) ids.push(await requireReach(ctx, { caller, acting, session, sees }));
  return ids;
}

/** The record of the calling session. @throws TOKEN_REFUSED when it does not run */
export async function actorOf(ctx: Pick<Context, "store">, actor: string): Promise<SessionRecord> {
  const entry = await ctx.store.get(actor);
  const runs = entry?.kind === "session" && (isLive(entry.record) || entry.record.intent !== null);
  if (entry?.kind === "session" && runs) return entry.record;
  throw new TmpmError("TOKEN_REFUSED", "the token's session is not running", { details: { session: actor } });
}

interface Wanted extends Pick<VisibleSearch, "sees"> {
  readonly caller: SessionRecord;
  readonly acting: Acting;
  readonly session: string;
}

async function requireReach(ctx: Context, { caller, acting, session, sees }: Wanted): Promise<string> {
  const target = await findSeen(ctx, { text: session, sees });
  const reason = await outOfReach(ctx, { caller, acting, target });
  if (reason === null) return target.id;
  throw new TmpmError("GRANT_REFUSED", `session ${caller.name} may not do this to session ${target.name}: ${reason}`, {
    details: { session: caller.id, target: target.id, reach: heldGrant(await allRecords(ctx), caller)?.reach ?? "none" },
  });
}

interface Pair {
  readonly caller: SessionRecord;
  readonly target: SessionRecord;
}

/** For a target that the caller sees. */
async function outOfReach(ctx: Pick<Context, "store">, pair: Pair & { readonly acting: Acting }): Promise<string | null> {
  const { caller, acting, target } = pair;
  if (target.id === caller.id) return acting === "own" || acting === "read" ? null : "it is the session itself";
  if (acting === "own") return "it concerns another session";
  return acting !== "control" || (await isDescendant(ctx, pair)) ? null : "it did not start it";
}

async function isDescendant(ctx: Pick<Context, "store">, { caller, target }: Pair): Promise<boolean> {
  return target.lineage !== null && descends(await allRecords(ctx), { id: target.id, ancestor: caller.id });
}

/** The records visible to a session: itself and those within its reach. @throws TOKEN_REFUSED */
export async function seenBy(ctx: Pick<Context, "store">, actor: string): Promise<(record: SessionRecord) => boolean> {
  const caller = await actorOf(ctx, actor);
  const records = await allRecords(ctx);
  const reach = heldGrant(records, caller)?.reach ?? "none";
  return (record) =>
    record.id === caller.id ||
    reach === "all" ||
    (reach === "project" && record.project_id === caller.project_id) ||
    descends(records, { id: record.id, ancestor: caller.id });
}
