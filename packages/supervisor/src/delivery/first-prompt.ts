import type { AgentAdapter } from "@tmpm/agents";
import type { Receipt, SessionRecord, TmpmError, Turn } from "@tmpm/core";
import type { Context } from "../context.js";
import { causeOfFirst } from "../grants/causation.js";
import { acceptCarried, failUnlaunched, followCarried, followHandedOver, handOver } from "../turns/follow-carried.js";
import { turnReceipt } from "../turns/turn-receipt.js";
import { acceptSend, PLAIN } from "./accept.js";
import { heldReceipt, type Running } from "./running.js";

export interface FirstPrompt {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  readonly text: string;
  readonly turnId: string;
  /** The prompt will be passed in the agent's own argv. */
  readonly carried: boolean;
}

const POLL_MS = 200;
const STARTING_MS = 90_000;

/** An accepted first prompt. */
export interface Prompting {
  /** Call before the launch, once the session's directory exists. False when the launch must not pass the prompt: its turn is over. */
  launching(record: SessionRecord): Promise<boolean>;
  /** Waits for its outcome, once the session runs. */
  follow(launched: SessionRecord): Promise<Receipt>;
  /** The launch failed. With the effect `unknown` the agent may have the prompt, so its turn is followed. */
  abandon(error: TmpmError): void;
  /** The program ended at once. */
  ended(): void;
}

/**
 * Accepts the first prompt of a session that has its record: resolves when it is durable and no other text precedes it. A dialog in its
 * way is an outcome, not a failure: once it is answered, the prompt continues by itself.
 */
export async function firstPrompt(ctx: Context, prompt: FirstPrompt): Promise<Prompting> {
  const { record, text, turnId } = prompt;
  if (prompt.carried) return carriedPrompt(ctx, prompt);
  const accepted = await acceptSend(ctx, {
    ...PLAIN,
    id: turnId,
    session: record.id,
    project: record.project_id,
    text,
    background: true,
    patience_ms: null,
    cause: async () => causeOfFirst(record),
  });
  if (accepted.kind === "done") throw new TypeError("a send without a key is new");
  const nothing = () => undefined;
  return { launching: async () => true, follow: () => whileStarting(ctx, accepted.running), abandon: nothing, ended: nothing };
}

async function carriedPrompt(ctx: Context, prompt: FirstPrompt): Promise<Prompting> {
  const { record } = prompt;
  const turn = await acceptCarried(ctx, prompt);
  let handedOver = false;
  return {
    async launching(launching) {
      const keepTree = await ctx.turnTrees.launches(launching);
      handedOver = await handOver(ctx, { ...prompt, turn });
      if (handedOver) keepTree(turn.id);
      return handedOver;
    },
    follow: (launched) => (handedOver ? followCarried(ctx, { ...prompt, record: launched, turn }) : receiptOfOver(ctx, turn)),
    abandon: (error) => {
      if (!handedOver || error.effect === "none") failUnlaunched(ctx, { turn, error });
      else followHandedOver(ctx, { record, turn });
    },
    ended: () => void ctx.turns.apply(record.id, { type: "gone" }),
  };
}

/** The receipt of a prompt that was cancelled before the launch. */
async function receiptOfOver(ctx: Pick<Context, "turns">, turn: Turn): Promise<Receipt> {
  const receipt = turnReceipt((await ctx.turns.get(turn.session_id, turn.id)) ?? turn);
  if (receipt === null) throw new TypeError("the turn of a first prompt has a receipt");
  return receipt;
}

/** The send waits for a starting agent; any other hold is reported. */
async function whileStarting(ctx: Pick<Context, "clock">, running: Running): Promise<Receipt> {
  const deadline = ctx.clock.now() + STARTING_MS;
  let waiting = 0;
  for (;;) {
    const receipt = await Promise.race([running.receipt, ctx.clock.sleep(POLL_MS).then(() => null)]);
    if (receipt !== null) return receipt;
    const hold = running.hold();
    waiting = hold === null || hold.reason === "starting" ? 0 : waiting + 1;
    // An agent that just began to draw may show anything.
    if (hold !== null && (waiting > 10 || ctx.clock.now() >= deadline)) return heldReceipt(running, hold);
  }
}
