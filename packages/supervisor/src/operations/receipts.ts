import { hasCode, type Receipt, type SendEntry, TmpmError, type Turn } from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { leftoverIn, removeLeftover } from "../delivery/leftover.js";
import { heldReceipt, outcomeOnceSeen, type Running } from "../delivery/running.js";
import { findSession } from "../find-session.js";
import { readScreen } from "../observe/observe.js";
import { isUnlaunched } from "../turns/carried-turn.js";
import { findTurn } from "../turns/find-turn.js";
import { turnReceipt } from "../turns/turn-receipt.js";

/**
 * One send: its request, and its current receipt. A first prompt that the launch passed has no entry in the journal, and an older send none
 * anymore: their facts come from their turns.
 */
export interface SendFacts {
  readonly entry: Pick<SendEntry, "id" | "session_id" | "key" | "accepted_at" | "step">;
  readonly receipt: Receipt;
}

export interface JournaledSend extends SendFacts {
  readonly entry: SendEntry;
}

/**
 * The receipt of a send by its id, its key or a prefix of its id; `held` until it is over. @throws SEND_NOT_FOUND, and the errors of
 * `findSession`
 */
export async function receipt(ctx: Context, input: { readonly session: string; readonly send: string }): Promise<SendFacts> {
  try {
    return factsOfSend(ctx, await findSend(ctx, input));
  } catch (error) {
    const turn = hasCode(error, "SEND_NOT_FOUND") ? await turnOf(ctx, input) : null;
    const facts = turn === null ? null : factsOfTurn(turn);
    if (facts === null) throw error;
    return facts;
  }
}

interface WantedSend {
  readonly session: string;
  readonly send: string;
}

/** Null when there is none. */
async function turnOf(ctx: Context, { session, send }: WantedSend): Promise<Turn | null> {
  const record = await findSession(ctx, session);
  try {
    return await findTurn(ctx, { session: record, turn: send });
  } catch (error) {
    if (hasCode(error, "TURN_NOT_FOUND")) return null;
    throw error;
  }
}

/** Null for a turn without a receipt. */
function factsOfTurn(turn: Turn): SendFacts | null {
  const receipt = turnReceipt(turn);
  return receipt === null ? null : { entry: { ...turn, step: receipt.outcome === "held" ? "accepted" : "done" }, receipt };
}

/** A first prompt is taken back until the launch that passes it begins. Null when there is none. */
async function cancelFirst(ctx: Context, input: WantedSend): Promise<SendFacts | null> {
  const turn = await turnOf(ctx, input);
  if (turn === null) return null;
  const { session_id: session, id, generation } = turn;
  // Not as it was found: the launch may have begun meanwhile.
  const isPending = ctx.turns.lane(session).open.some((open) => open.id === id && isUnlaunched(open));
  if (isPending) ctx.turns.apply(session, { type: "cancelling", generation, cause: "client_rpc" });
  await ctx.turns.settled(session);
  return factsOfTurn((await ctx.turns.get(session, id)) ?? turn);
}

/** A session's pending sends and those of the last day, newest first. @throws the errors of `findSession` */
export async function sends(ctx: Context, input: { readonly session: string }): Promise<readonly JournaledSend[]> {
  await ctx.recovered();
  const { id } = await findSession(ctx, input.session);
  return (await ctx.sends.list(id)).map((entry) => factsOfSend(ctx, entry));
}

/**
 * Cancels a send before typing starts; the receipt reports whether that was in time. Text that a completed one left in the input is
 * removed. @throws like `receipt`
 */
export async function cancelSend(ctx: Context, input: { readonly session: string; readonly send: string }): Promise<SendFacts> {
  try {
    return await cancelJournaled(ctx, await findSend(ctx, input));
  } catch (error) {
    const facts = hasCode(error, "SEND_NOT_FOUND") ? await cancelFirst(ctx, input) : null;
    if (facts === null) throw error;
    return facts;
  }
}

async function cancelJournaled(ctx: Context, entry: SendEntry): Promise<JournaledSend> {
  const running = ctx.deliveries.get(entry);
  if (running === undefined) return factsOfSend(ctx, entry.left === null ? entry : await takeOut(ctx, entry));
  running.takeBack("cancelled");
  const receipt = await outcomeOnceSeen(running);
  if (receipt !== null) return { entry: running.entry(), receipt };
  await cancelUnseen(ctx, running);
  return factsOfSend(ctx, running.entry());
}

/** A text that the last daemon may have typed is examined once its terminal is observed, by the next daemon if this one ends before. */
async function cancelUnseen(ctx: Pick<Context, "turns">, { session, id }: Running): Promise<void> {
  const turn = ctx.turns.lane(session).open.find((open) => open.id === id);
  if (turn === undefined) return;
  ctx.turns.apply(session, { type: "cancelling", generation: turn.generation, cause: "client_rpc" });
  await ctx.turns.settled(session);
}

/** Text that an earlier send left in the agent's input is removed, while nothing else is there. */
async function takeOut(ctx: Context, entry: SendEntry): Promise<SendEntry> {
  const record = await findSession(ctx, entry.session_id);
  const adapter = agentOf(ctx, record);
  return ctx.queue.run(record.id, async () => {
    const seen = await readScreen(ctx, { record, adapter });
    const left = await leftoverIn(ctx, { record, adapter, look: seen });
    if (left?.id !== entry.id) return entry;
    await removeLeftover(ctx, { record, adapter, entry });
    return { ...entry, left: null };
  });
}

async function findSend(ctx: Context, { session, send }: { readonly session: string; readonly send: string }): Promise<SendEntry> {
  await ctx.recovered();
  const { id, name } = await findSession(ctx, session);
  const all = await ctx.sends.list(id);
  const exact = all.find((entry) => entry.id === send || entry.key === send);
  const [first, second] = all.filter((entry) => entry.id.startsWith(send));
  const found = exact ?? (second === undefined ? first : undefined);
  if (found !== undefined) return found;
  const what = second === undefined ? "there is no send" : "more than one send begins with";
  throw new TmpmError("SEND_NOT_FOUND", `${what} ${JSON.stringify(send)} of session ${name}`, {
    hint: "A receipt is kept for a day.",
    details: { session: id, send },
  });
}

function factsOfSend(ctx: Pick<Context, "deliveries">, entry: SendEntry): JournaledSend {
  if (entry.receipt !== null) return { entry, receipt: entry.receipt };
  const running = ctx.deliveries.get(entry);
  const evidence = running === undefined ? ["it is not in progress"] : ["it is being typed"];
  const unknown = { outcome: "held", reason: "accepted", bytes: entry.bytes, evidence, id: entry.id, altered: null, hint: null } as const;
  const hold = running?.hold() ?? null;
  return { entry, receipt: running === undefined || hold === null ? { ...unknown, evidence: [...evidence] } : heldReceipt(running, hold) };
}
