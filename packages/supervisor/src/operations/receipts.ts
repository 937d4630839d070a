import { hasCode, type Receipt, type SendEntry, TmpmError, type Turn } from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { leftoverIn, removeLeftover } from "../delivery/leftover.js";
import { heldReceipt, outcomeOnceSeen, type Running } from "../delivery/running.js";
import { findSession } from "../find-session.js";
import { readScreen } from "../observe/observe.js";
import { findTurn } from "../turns/find-turn.js";

/** One send: its request, and its current receipt. A first prompt that the launch passed has no entry in the journal, only its turn. */
export interface SendFacts {
  readonly entry: Pick<SendEntry, "id" | "session_id" | "key" | "accepted_at" | "step">;
  readonly receipt: Receipt;
}

/** A send with its entry in the journal. */
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
    const carried = hasCode(error, "SEND_NOT_FOUND") ? await carriedTurn(ctx, input) : null;
    if (carried === null) throw error;
    return carried;
  }
}

async function carriedTurn(ctx: Context, input: { readonly session: string; readonly send: string }): Promise<SendFacts | null> {
  try {
    const turn = await findTurn(ctx, { session: await findSession(ctx, input.session), turn: input.send });
    const receipt = turnReceipt(turn);
    return receipt === null ? null : { entry: { ...turn, step: receipt.outcome === "held" ? "accepted" : "done" }, receipt };
  } catch (error) {
    if (hasCode(error, "TURN_NOT_FOUND")) return null;
    throw error;
  }
}

/** The agent of a turn that ended before it was seen to start may have had the prompt. */
function turnReceipt({ state, receipt }: Turn): Receipt | null {
  if (receipt === null || receipt.outcome !== "held" || state !== "ended") return receipt;
  return { ...receipt, outcome: "unconfirmed", reason: "session_ended", evidence: [...receipt.evidence, "the session ended first"] };
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
export async function cancelSend(ctx: Context, input: { readonly session: string; readonly send: string }): Promise<JournaledSend> {
  const entry = await findSend(ctx, input);
  const running = ctx.deliveries.get(entry);
  if (running === undefined) return factsOfSend(ctx, entry.left === null ? entry : await takeOut(ctx, entry));
  running.takeBack("cancelled");
  const receipt = await outcomeOnceSeen(running);
  if (receipt !== null) return { entry: running.entry(), receipt };
  await cancelUnseen(ctx, running);
  return factsOfSend(ctx, running.entry());
}

/** What the last daemon may have typed is judged once its terminal is seen, by the next daemon if this one ends before. */
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
