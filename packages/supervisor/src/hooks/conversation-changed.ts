import { type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";

export interface ConversationChange {
  readonly record: SessionRecord;
  /** Null until the agent reports it. */
  readonly conversationId: string | null;
  /** `agent`: it began another one itself. `not_resumed`: it could not resume the previous one. */
  readonly reason: "agent" | "not_resumed";
  /** Why the previous one was not resumed, null when nothing of it is lost; unchanged by default. */
  readonly note?: string | null;
}

/** Makes this the conversation of the session, for resuming and reading, and reports it if the previous one is left. */
export async function changeConversation(
  ctx: Pick<Context, "clock" | "emit" | "store">,
  change: ConversationChange,
): Promise<SessionRecord> {
  const { record, conversationId, reason, note } = change;
  const now = timestampFromMs(ctx.clock.now());
  const { conversation_id: from } = record;
  const after = await ctx.store.update(record.id, (current) => {
    const noted = note === undefined ? current.conversation_note : note;
    if (current.conversation_id === conversationId && current.conversation_note === noted) return current;
    return { ...current, conversation_id: conversationId, conversation_note: noted, updated_at: now };
  });
  if (from !== null && from !== conversationId && note !== null) {
    ctx.emit({ type: "session_conversation_changed", at: now, session_id: record.id, from, to: conversationId, reason });
  }
  return after;
}
