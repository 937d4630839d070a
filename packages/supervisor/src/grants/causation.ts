import { msFromTimestamp, type SendCause, type SendEntry, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { digestOf } from "../delivery/digest-of.js";
import { actorOf } from "./authorise.js";
import { allRecords } from "./family.js";
import { requireGrant } from "./held-grant.js";
import { reached } from "./require-lineage.js";

/** The longest chain of sessions that prompt one another without a user in between. */
export const MOST_HOPS = 8;

const HOUR_MS = 3_600_000;
const SAME_TEXT = { times: 3, withinMs: 600_000 };

/**
 * The sessions whose work led to a session's current work, itself last: from its newest text, else from its start. @throws
 * CAUSATION_REFUSED
 */
export async function pathTo(ctx: Pick<Context, "sends">, session: SessionRecord): Promise<readonly string[]> {
  const [newest] = await ctx.sends.list(session.id);
  const before = newest === undefined ? (session.lineage?.path ?? []) : (newest.cause?.path ?? []);
  const path = [...before, session.id];
  if (path.length <= MOST_HOPS) return path;
  throw refused(session, {
    rule: "hops",
    why: `${path.length} sessions prompted one another, and at most ${MOST_HOPS} may without user input`,
  });
}

export interface SentBy {
  readonly actor: string;
  readonly target: SessionRecord;
  readonly text: string;
}

/**
 * The cause of a session's text, for a caller that serialises sessions' sends. @throws CAUSATION_REFUSED for a chain that is too long or
 * cyclic, or a repeated text; LINEAGE_LIMIT, GRANT_REFUSED, TOKEN_REFUSED
 */
export async function causeOf(ctx: Pick<Context, "clock" | "sends" | "store">, { actor, target, text }: SentBy): Promise<SendCause> {
  const caller = await actorOf(ctx, actor);
  const grant = await requireGrant(ctx, caller);
  const path = await pathTo(ctx, caller);
  if (path.includes(target.id))
    throw refused(caller, {
      rule: "circle",
      why: `its current prompt came from session ${target.name}; \`report\` answers without prompting`,
    });
  const since = (withinMs: number) => (entry: SendEntry) => ctx.clock.now() - msFromTimestamp(entry.accepted_at) < withinMs;
  const digest = digestOf(text);
  const same = (await ctx.sends.list(target.id)).filter((entry) => entry.cause?.parent === actor && entry.digest === digest);
  if (same.filter(since(SAME_TEXT.withinMs)).length >= SAME_TEXT.times - 1)
    throw refused(caller, {
      rule: "repetition",
      why: `it sent the same text to session ${target.name} ${SAME_TEXT.times - 1} times within ten minutes`,
    });
  const sent = (await sentBy(ctx, actor)).filter(since(HOUR_MS)).length;
  if (sent >= grant.sends_per_hour) throw reached("sends_per_hour", { session: caller.name, count: sent, limit: grant.sends_per_hour });
  return causeFrom(path);
}

/** The cause of a first prompt; undefined when a user started the session. */
export function causeOfFirst({ lineage }: Pick<SessionRecord, "lineage">): SendCause | undefined {
  return lineage === null ? undefined : causeFrom(lineage.path);
}

function causeFrom(path: readonly string[]): SendCause {
  const [root, parent] = [path[0], path.at(-1)];
  if (root === undefined || parent === undefined) throw new TypeError("a session's text has a sender");
  return { parent, root, hop: path.length, path: [...path] };
}

async function sentBy(ctx: Pick<Context, "sends" | "store">, actor: string): Promise<readonly SendEntry[]> {
  const records = await allRecords(ctx);
  const all = await Promise.all(records.map(({ id }) => ctx.sends.list(id)));
  return all.flat().filter(({ cause }) => cause?.parent === actor);
}

function refused(caller: SessionRecord, { rule, why }: { readonly rule: string; readonly why: string }): TmpmError {
  return new TmpmError("CAUSATION_REFUSED", `session ${caller.name} may not send this: ${why}`, { details: { rule, session: caller.id } });
}
