import type { AgentAdapter } from "@tmpm/agents";
import type { Receipt, SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { expectTurn } from "../looks/expect-turn.js";
import { look } from "../looks/observe.js";
import { beginCarriedTurn } from "../turns/carried-turn.js";
import { acceptSend, PLAIN } from "./accept.js";
import { receiptOf, utf8Bytes, type Verdict } from "./receipt.js";
import { heldReceipt, type Running } from "./running.js";

export interface FirstPrompt {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  readonly text: string;
  /** The prompt went out in the agent's own argv. */
  readonly carried: boolean;
}

const POLL_MS = 200;
const CARRIED_MS = 45_000;
const STARTING_MS = 90_000;
/** Agents that load their parts from a slow disk take minutes; how long one may start is not for us to say, only how long it is waited for. */
const CARRIED_STARTING_MS = 180_000;

/**
 * Sees to the first prompt of a session that is about to be launched: resolves when no crash loses it any more and no other text comes before it, with how
 * to wait for what became of it once the session runs. A dialog in its way is an outcome, not a failure: once it is answered, the prompt goes on by itself.
 */
export async function firstPrompt(ctx: Context, prompt: FirstPrompt): Promise<(launched: SessionRecord) => Promise<Receipt>> {
  if (prompt.carried) return (record) => followCarried(ctx, { ...prompt, record });
  const { record, text } = prompt;
  const accepted = await acceptSend(ctx, {
    ...PLAIN,
    session: record.id,
    project: record.project_id,
    text,
    background: true,
    patience_ms: null,
  });
  if (accepted.kind === "done") throw new TypeError("a send without a key is new");
  return () => whileStarting(ctx, accepted.running);
}

/** An agent that starts is waited for; whatever else keeps the prompt back is told. */
async function whileStarting(ctx: Context, running: Running): Promise<Receipt> {
  const deadline = ctx.clock.now() + STARTING_MS;
  let waiting = 0;
  for (;;) {
    const receipt = await Promise.race([running.receipt, ctx.clock.sleep(POLL_MS).then(() => null)]);
    if (receipt !== null) return receipt;
    const hold = running.hold();
    waiting = hold === null || hold.reason === "starting" ? 0 : waiting + 1;
    // An agent that has only just begun to draw shows many things.
    if (hold !== null && (waiting > 10 || ctx.clock.now() >= deadline)) return heldReceipt(running, hold);
  }
}

/** A prompt in argv is submitted by the agent itself; a dialog before it holds it until a person answers. An idle input alone proves nothing: it shows before too. */
async function followCarried(ctx: Context, prompt: FirstPrompt): Promise<Receipt> {
  const since = ctx.clock.now();
  const turn = await beginCarriedTurn(ctx, { record: prompt.record, text: prompt.text });
  let deadline = since + CARRIED_MS;
  const told = (verdict: Omit<Verdict, "reason">) => {
    if (verdict.outcome === "submitted") expectTurn(ctx, { record: prompt.record, atMs: since });
    const receipt = carriedReceipt(prompt, verdict);
    ctx.turns.apply(turn.session_id, { type: "told", id: turn.id, receipt });
    return receipt;
  };
  for (;;) {
    const { reading, observation } = await look(ctx, prompt);
    if (reading.state === "starting") deadline = Math.min(since + CARRIED_STARTING_MS, ctx.clock.now() + CARRIED_MS);
    const seen = ["the prompt was an argument of the agent", ...reading.evidence];
    // What runs into a limit has begun.
    if (reading.state === "working" || (reading.limit ?? null) !== null) return told({ outcome: "submitted", evidence: seen });
    if (reading.state === "blocked" || reading.state === "awaiting_approval") {
      const hint = reading.hint ?? `Answer it with \`tmpm attach ${prompt.record.name}\`.`;
      return told({ outcome: "held", evidence: ["the agent shows a dialog first, and has the prompt", ...reading.evidence], hint });
    }
    if (ctx.hookEdges.submittedSince(prompt.record.id, since)) {
      return told({ outcome: "submitted", evidence: [...seen, "the agent's hook told of the prompt"] });
    }
    if (reading.draft === "" && shows(observation.lines, prompt.text)) {
      return told({ outcome: "submitted", evidence: [...seen, "the prompt stands above its empty input"] });
    }
    if (ctx.clock.now() >= deadline) return told({ outcome: "unconfirmed", evidence: [...seen, "nothing showed that it began"] });
    await ctx.clock.sleep(POLL_MS);
  }
}

function carriedReceipt({ adapter, text }: FirstPrompt, verdict: Omit<Verdict, "reason">): Receipt {
  const altered = adapter.text === undefined ? adapter.limits.alters : null;
  return receiptOf({ reason: "carried", ...verdict }, { id: null, bytes: utf8Bytes(text), altered });
}

const ENOUGH = 40;

function shows(lines: readonly string[], text: string): boolean {
  const squeeze = (part: string) => part.replace(/\s+/gu, "");
  return squeeze(lines.join("")).includes(squeeze(text).slice(0, ENOUGH));
}
