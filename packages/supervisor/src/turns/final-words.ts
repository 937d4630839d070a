import type { Exchange, Transcript } from "@tmpm/agents";
import { hasCode, type SessionRecord, TURN_REASONS, type Turn } from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { changeConversation } from "../hooks/conversation-changed.js";
import { openTranscript } from "../thoughts/open-transcript.js";
import { exchangeDuring, exchangeOf } from "./exchange-of.js";
import { movedConversation } from "./moved-conversation.js";

/** An agent may report the end of its turn a moment before it records its last message. */
const WRITTEN_MS = 1_500;
/** Likewise if it has already recorded the prompt: on a busy machine the reply follows late. */
const ANSWERED_MS = 10_000;
const POLL_MS = 150;

/**
 * The turn according to the agent's own transcript: its last message, the tokens of the conversation, and a failure if it reports one. A
 * completed turn without a message has the reason.
 */
export async function withFinalWords(ctx: Context, turn: Turn): Promise<Turn> {
  try {
    const record = await recordOf(ctx, turn.session_id);
    return record === null ? wordless(turn, "the session no longer exists") : await asRecorded(ctx, { record, turn });
  } catch (error) {
    ctx.report({ doing: `reading the final message of turn ${turn.id}`, error });
    return wordless(turn, "the agent's record of the conversation could not be read");
  }
}

async function asRecorded(ctx: Context, of: { readonly record: SessionRecord; readonly turn: Turn }): Promise<Turn> {
  const { turn } = of;
  let { record } = of;
  let reader = await openTranscript(ctx, record);
  if (reader === null && agentOf(ctx, record).begunConversations === undefined) return wordless(turn, noReader(ctx, record));
  const askedMs = ctx.clock.now();
  for (;;) {
    const transcript = (await reader?.read()) ?? null;
    const exchange = transcript === null ? null : exchangeOf(transcript, turn);
    if (transcript !== null && exchange !== null && exchange.more !== true && says(exchange))
      return withReply(turn, { transcript, exchange });
    const moved = exchange === null ? await movedConversation(ctx, { record, turn }) : null;
    if (moved !== null) {
      record = await changeConversation(ctx, { record, conversationId: moved, reason: "agent" });
      reader = await openTranscript(ctx, record);
      continue;
    }
    if (ctx.clock.now() - askedMs >= patience(turn, exchange)) return atLast(ctx, { record, turn, transcript, exchange });
    await ctx.clock.sleep(POLL_MS);
  }
}

function says({ reply, error }: Exchange): boolean {
  return (reply ?? error) !== null;
}

/** The transcript at the end of the wait. An agent may record a prompt differently from the sent text; then its time identifies it. */
function atLast(ctx: Pick<Context, "agent" | "host">, { turn, ...looked }: Looked & { readonly turn: Turn }): Turn {
  const { transcript } = looked;
  const exchange = looked.exchange ?? (transcript === null ? null : exchangeDuring(transcript, turn));
  if (transcript === null || exchange === null || !says(exchange)) return wordless(turn, missing(ctx, { ...looked, exchange }));
  return withReply(turn, { transcript, exchange });
}

function patience({ outcome }: Turn, exchange: Exchange | null): number {
  if (outcome !== "completed") return 0;
  return exchange === null ? WRITTEN_MS : ANSWERED_MS;
}

async function recordOf(ctx: Context, id: string): Promise<SessionRecord | null> {
  try {
    return await findSession(ctx, id);
  } catch (error) {
    if (hasCode(error, "SESSION_NOT_FOUND", "RECORD_DAMAGED", "RECORD_UNSUPPORTED")) return null;
    throw error;
  }
}

interface Answered {
  readonly transcript: Transcript;
  readonly exchange: Exchange;
}

/** The agent's transcript is better evidence of a failure than its screen. */
function withReply(turn: Turn, { transcript: { tokens }, exchange: { reply, error } }: Answered): Turn {
  const { outcome, code } = TURN_REASONS.agent_errored;
  const failed = error !== null && turn.outcome === "completed" ? ({ outcome, code, reason: "agent_errored" } as const) : {};
  return { ...turn, ...failed, final_message: reply, note: error ?? turn.note, tokens: tokens === 0 ? null : tokens };
}

/** The reason of a turn that did not complete explains the missing message. */
function wordless(turn: Turn, why: string): Turn {
  return turn.outcome === "completed" ? { ...turn, note: turn.note ?? why } : turn;
}

function noReader(ctx: Pick<Context, "agent" | "host">, record: SessionRecord): string {
  const { title, transcript } = agentOf(ctx, record);
  return transcript === undefined ? `${title} does not record its messages` : `${title} has not reported which conversation it is in`;
}

interface Looked {
  readonly record: SessionRecord;
  readonly transcript: Transcript | null;
  readonly exchange: Exchange | null;
}

function missing(ctx: Pick<Context, "agent" | "host">, { record, transcript, exchange }: Looked): string {
  const { title } = agentOf(ctx, record);
  if (transcript === null) return `the record of conversation ${record.conversation_id} of ${title} was not found`;
  return exchange === null ? `the record of ${title} does not contain this prompt` : `the record of ${title} has no answer to this prompt`;
}
