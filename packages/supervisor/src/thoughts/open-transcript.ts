import type { TranscriptReader } from "@tmpm/agents";
import type { SessionRecord } from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";

/** The transcript of a session's conversation: from its host if that has it, else from the agent's own record; null without either. */
export async function openTranscript(ctx: Context, record: SessionRecord): Promise<TranscriptReader | null> {
  const { pane, conversation_id: conversationId } = record;
  const conversation = pane === null ? null : ctx.host.conversation(pane);
  if (pane !== null && conversation !== null) return { read: () => conversation.transcript(pane) };
  const open = agentOf(ctx, record).transcript;
  if (open === undefined || conversationId === null) return null;
  const env = { ...ctx.settings.sessionEnv, ...(await ctx.launchEnvs.of(record.id)) };
  return open({ conversationId, env, folder: ctx.hooks?.folder(record.id) ?? null });
}
