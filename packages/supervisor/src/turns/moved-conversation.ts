import { msFromTimestamp, type SessionRecord, type Turn } from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { paneOf } from "../observe/observe.js";
import { openTranscript } from "../thoughts/open-transcript.js";
import { exchangeOf } from "./exchange-of.js";

/**
 * The conversation of a turn, when the agent began another one without a report: the only one since the launch with the turn's prompt, or
 * the only one that began while its command ran. Null when ambiguous.
 */
export async function movedConversation(
  ctx: Context,
  { record, turn }: { readonly record: SessionRecord; readonly turn: Turn },
): Promise<string | null> {
  const find = agentOf(ctx, record).begunConversations;
  if (find === undefined || turn.started_at === null || record.launched_at === null) return null;
  if (record.pane !== null && ctx.host.conversation(paneOf(record)) !== null) return null;
  const env = { ...ctx.settings.sessionEnv, ...(await ctx.launchEnvs.of(record.id)) };
  const taken = await takenConversations(ctx);
  // A first prompt in the agent's arguments may begin its conversation a moment before the launch is recorded.
  const sinceMs = Math.min(msFromTimestamp(record.launched_at), msFromTimestamp(turn.started_at));
  const begun = (await find({ env, sinceMs })).filter(({ conversationId }) => !taken.has(conversationId));
  const holding = [];
  for (const one of begun) {
    const transcript = await (await openTranscript(ctx, { ...record, conversation_id: one.conversationId }))?.read();
    if (transcript && exchangeOf(transcript, turn) !== null) holding.push(one);
  }
  const startedMs = msFromTimestamp(turn.started_at);
  const commanded = turn.prompt.startsWith("/") ? begun.filter(({ beganMs }) => beganMs >= startedMs) : [];
  const [only, another] = holding.length > 0 ? holding : commanded;
  return only === undefined || another !== undefined ? null : only.conversationId;
}

/** The conversations of all sessions. */
async function takenConversations(ctx: Pick<Context, "store">): Promise<ReadonlySet<string>> {
  const entries = await ctx.store.list();
  return new Set(entries.flatMap((entry) => (entry.kind === "session" ? (entry.record.conversation_id ?? []) : [])));
}
