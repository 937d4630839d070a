import { hasCode, isHandedOver, runningTurns, type SessionRecord, TmpmError, type TurnEnd } from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { interruptFirst } from "../delivery/interrupt-first.js";
import { press, untilScreen } from "../delivery/keys-and-looks.js";
import { isHeldUp, leave } from "../delivery/leave.js";
import { outcomeOnceSeen, type Running } from "../delivery/running.js";
import { concludeNow } from "../observe/conclude.js";
import { paneOf, readScreen, type ScreenReading } from "../observe/observe.js";
import { requireActive } from "../require-active.js";

export interface StopTurn {
  readonly session: string;
  readonly generation: number;
  /** Grace period for the agent to stop, in ms. */
  readonly graceMs: number;
}

/**
 * Completes the cancellation of a turn: cancels the send, or interrupts the agent as its adapter defines. If the agent does not stop in
 * time, the outcome says so. A turn that has ended, or of another generation, is not affected.
 */
export async function stopTurn(ctx: Context, { session, generation, graceMs }: StopTurn): Promise<void> {
  const now = () => ctx.turns.lane(session).open.find((turn) => turn.generation === generation);
  const delivery = ctx.deliveries.get({ id: now()?.id ?? "" });
  delivery?.takeBack("cancelled");
  // The sender gets its failure.
  const outcome = await (delivery === undefined ? undefined : outcomeOnceSeen(delivery).catch(() => undefined));
  if (delivery !== undefined && outcome === null) throw notYet(delivery);
  // A waiting turn is over at once; the queue may be held by the launch of its session.
  if (now() === undefined) return;
  await ctx.queue.run(session, async () => {
    const turn = now();
    if (turn?.state === "running") await stopRunning(ctx, { session, graceMs });
    // The agent has its prompt and may start on it later: nothing stops that while a dialog is in the way.
    else if (turn !== undefined && isHandedOver(turn)) ctx.turns.apply(session, { type: "ended", generation, how: "not_seen_to_stop" });
  });
}

/** The delivery by the previous daemon has not been examined yet; the cancellation remains in effect. */
function notYet({ session, id, hold }: Running): TmpmError {
  const details = { session, send: id };
  if (hold()?.reason === "behind_another") {
    const message = "the daemon ended during the delivery of this prompt, and an earlier send of the session is examined first";
    return new TmpmError("INVALID_STATE", message, { effect: "unknown", hint: "The turn is cancelled after that.", details });
  }
  return new TmpmError("TMUX_UNRESPONSIVE", "the terminal of the session was not seen since the daemon ended during the delivery", {
    effect: "unknown",
    hint: "The turn is cancelled once the terminal answers.",
    details,
  });
}

/** An agent stops as a whole, and with it every running turn. When its host does not answer, nothing was done and they continue. */
async function stopRunning(ctx: Context, { session, graceMs }: Omit<StopTurn, "generation">): Promise<void> {
  const turns = runningTurns(ctx.turns.lane(session));
  for (const { generation } of turns) ctx.turns.apply(session, { type: "cancelling", generation, cause: "client_rpc" });
  let how: TurnEnd = "not_seen_to_stop";
  try {
    if (await stopAgent(ctx, { session, graceMs })) how = "ready";
  } catch (error) {
    if (!hasCode(error, "PANE_GONE", "PANE_DEAD", "PANE_FOREIGN", "INVALID_STATE")) {
      for (const { generation } of turns) ctx.turns.apply(session, { type: "spared", generation, cause: "client_rpc" });
      throw error;
    }
    await concludeNow(ctx, session);
  }
  for (const { generation } of turns) ctx.turns.apply(session, { type: "ended", generation, how });
}

/** Whether the agent was seen to be ready after the keys. */
async function stopAgent(ctx: Context, { session, graceMs }: Omit<StopTurn, "generation">): Promise<boolean> {
  const record = await requireActive(ctx, { session, verb: "interrupt" });
  const adapter = agentOf(ctx, record);
  const deadline = ctx.clock.now() + graceMs;
  const conversation = ctx.host.conversation(paneOf(record));
  if (conversation !== null) {
    await conversation.cancel(paneOf(record));
    return isReady(await untilScreen(ctx, { record, deadline, so: isReady }));
  }
  let seen = await readScreen(ctx, { record, adapter });
  if (seen.reading.state === "awaiting_approval") seen = await refuse(ctx, { record, seen, deadline });
  else if (isHeldUp(seen)) seen = await leave(ctx, { record, seen, deadline });
  if (seen.reading.state === "working") {
    const ended = await interruptFirst(ctx, { record, adapter, look: seen, graceMs: deadline - ctx.clock.now() });
    return ended !== null && ended.look.reading.state !== "awaiting_approval";
  }
  if (seen.reading.state === "awaiting_input" && !isReady(seen) && adapter.interrupt !== null) {
    await press(ctx, { record, keys: adapter.interrupt.keys });
    seen = await untilScreen(ctx, { record, deadline, so: isReady });
  }
  return isReady(seen);
}

interface Stopping {
  readonly record: SessionRecord;
  readonly seen: ScreenReading;
  readonly deadline: number;
}

/** A tool that waits for approval is denied; some agents continue after that. */
async function refuse(ctx: Context, { record, seen, deadline }: Stopping): Promise<ScreenReading> {
  const keys = agentOf(ctx, record).deny(seen.reading);
  if (keys === null) return seen;
  await press(ctx, { record, keys });
  return untilScreen(ctx, { record, deadline, so: ({ reading }) => reading.state !== "awaiting_approval" });
}

function isReady({ reading }: ScreenReading): boolean {
  return reading.state === "idle" || reading.state === "errored" || (reading.state === "awaiting_input" && reading.draft === "");
}
