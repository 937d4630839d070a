import { type SessionRecord, TmpmError, type Turn } from "@tmpm/core";
import type { Context } from "../context.js";

/** A turn of the session by its id, a prefix of it, or its key. @throws TURN_NOT_FOUND */
export async function findTurn(
  ctx: Pick<Context, "turns">,
  { session, turn }: { readonly session: SessionRecord; readonly turn: string },
): Promise<Turn> {
  const exact = await ctx.turns.get(session.id, turn);
  if (exact !== null) return exact;
  const all = await ctx.turns.list(session.id, {});
  const [first, second] = all.filter(({ id }) => id.startsWith(turn));
  const found = all.findLast(({ key }) => key === turn) ?? (second === undefined ? first : undefined);
  if (found !== undefined && turn !== "") return found;
  const what = second === undefined ? "there is no turn" : "more than one turn begins with";
  throw new TmpmError("TURN_NOT_FOUND", `${what} ${JSON.stringify(turn)} of session ${session.name}`, {
    hint: `\`tmpm turns ${session.name}\` lists them.`,
    details: { session: session.id, turn },
  });
}
