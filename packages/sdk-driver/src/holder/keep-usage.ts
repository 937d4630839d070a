import { appendFileSync } from "node:fs";
import type { ConversationEvent } from "../conversation/event.js";
import type { ConversationState } from "../conversation/state.js";

/** Writes down what a turn used, as a line of JSON: a file lasts while no daemon listens. A disk that takes no more ends no conversation. */
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
    // Counted or not, the turn has ended.
  }
}
