import { appendFileSync } from "node:fs";
import type { ConversationEvent } from "../conversation/event.js";
import type { ConversationState } from "../conversation/state.js";

/** Records a turn's usage as a line of JSON: a file survives while no daemon listens. A full disk does not end the conversation. */
export function keepUsage(
  path: string | undefined,
  of: { readonly event: ConversationEvent; readonly state: ConversationState; readonly atMs: number },
): void {
  const { event, state, atMs } = of;
  if (path === undefined || event.type !== "ended" || event.usage === undefined) return;
  const { transcript, settings } = state;
  const line = {
    id: event.key,
    atMs,
    model: settings.model?.current ?? null,
    tokens: event.usage,
    context: transcript.tokens,
    limit: transcript.context_limit,
  };
  try {
    appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch {
    // Recorded or not, the turn has ended.
  }
}
