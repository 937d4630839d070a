import { type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";

export interface ConversationChange {
  readonly record: SessionRecord;
  readonly conversationId: string;
  /** `agent`: it began another one itself. `not_resumed`: it could not resume the previous one. */
  readonly reason: "agent" | "not_resumed";
}

/** Makes this the conversation of the session, for resuming and reading, and reports it unless the session had none. */
export async function changeConversation(ctx: Context, { record, conversationId, reason }: ConversationChange): Promise<SessionRecord> {
  const now = timestampFromMs(ctx.clock.now());
  const { conversation_id: from } = record;
  const after = await ctx.store.update(record.id, (current) =>
    current.conversation_id === conversationId ? current : { ...current, conversation_id: conversationId, updated_at: now },
  );
  if (from !== null && from !== conversationId) {
    ctx.emit({ type: "session_conversation_changed", at: now, session_id: record.id, from, to: conversationId, reason });
  }
  return after;
}
