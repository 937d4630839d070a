import { keyedQueue, type Subscription } from "@tmpm/core";
import type { ConversationUpdate, SessionHost } from "@tmpm/host";
import type { Context } from "../context.js";
import { bindConversation, takeEdge } from "./take-edge.js";

/** Takes in what a host hears of the conversations that it holds, those of one session in their order. Nothing for a host with terminals. */
export function followConversation(ctx: Context, { conversation }: SessionHost): readonly Subscription[] {
  if (conversation === undefined) return [];
  const inOrder = keyedQueue();
  const listen = (update: ConversationUpdate) =>
    void inOrder
      .run(update.sessionId, () => take(ctx, update))
      .catch((error: unknown) => ctx.report({ doing: `handling the conversation of ${update.sessionId}`, error }));
  return [conversation.updates(listen)];
}

/** What a conversation reports that is no longer the session's changes nothing. */
async function take(ctx: Context, { sessionId, pane, reading, atMs }: ConversationUpdate): Promise<void> {
  const entry = await ctx.store.get(sessionId);
  if (entry?.kind !== "session") return;
  const { record } = entry;
  // The first may be reported before the launch is recorded.
  const isLaunching = record.state === "provisioning" || record.intent !== null;
  const isItsOwn = record.state === "active" && record.pane?.server_pid === pane.server_pid && record.pane.socket === pane.socket;
  if (!isLaunching && !isItsOwn) return;
  await ctx.recalled();
  takeEdge(ctx, { record, reading, source: "protocol", atMs });
  await bindConversation(ctx, { record, reading });
}
