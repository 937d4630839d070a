import { keyedQueue, type Subscription } from "@tmpm/core";
import type { ConversationUpdate, SessionHost } from "@tmpm/host";
import type { Context } from "../context.js";
import { isLaunching } from "./is-launching.js";
import { bindConversation, takeEdge } from "./take-edge.js";

/** Handles a host's events of its conversations, each session's in order. Does nothing for a host with terminals. */
export function followConversation(ctx: Context, { conversation }: SessionHost): readonly Subscription[] {
  if (conversation === undefined) return [];
  const inOrder = keyedQueue();
  const listen = (update: ConversationUpdate) =>
    void inOrder
      .run(update.sessionId, () => take(ctx, update))
      .catch((error: unknown) => ctx.report({ doing: `handling the conversation of ${update.sessionId}`, error }));
  return [conversation.updates(listen)];
}

/** Events of a conversation that is no longer the session's change nothing. */
async function take(ctx: Context, { sessionId, pane, reading, atMs }: ConversationUpdate): Promise<void> {
  const entry = await ctx.store.get(sessionId);
  if (entry?.kind !== "session") return;
  const { record } = entry;
  // The first may be reported before the launch is recorded.
  const isItsOwn = record.state === "active" && record.pane?.server_pid === pane.server_pid && record.pane.socket === pane.socket;
  if (!isLaunching(record) && !isItsOwn) return;
  await ctx.recalled();
  takeEdge(ctx, { record, reading, source: "protocol", atMs });
  await bindConversation(ctx, { record, reading });
}
