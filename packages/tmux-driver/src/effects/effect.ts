import type { PaneIdentity } from "@tmpm/core";
import { isServerAbsent, refusalError } from "../failure.js";
import { noServer } from "../observe/find.js";
import type { ServerContext } from "../server/server-context.js";
import type { Command } from "../transport/channel.js";
import { type Demand, foreignServer, guarded, guardWords, paneGone, requireDone } from "./guard.js";

export interface Effect {
  readonly identity: PaneIdentity;
  readonly demand: Demand;
  /** Harmless commands that always run. */
  readonly before?: readonly Command[];
  readonly commands: readonly Command[];
  /** Run instead of the commands when the guard rejects. */
  readonly otherwise?: readonly Command[];
  readonly input?: string;
}

/**
 * Resolves with the output when the commands ran in exactly this pane. @throws PANE_GONE, PANE_FOREIGN, PANE_DEAD, PANE_IN_MODE,
 * TMUX_UNRESPONSIVE, TMUX_FAILED
 */
export async function performEffect(context: ServerContext, effect: Effect): Promise<string> {
  const { identity, demand, commands, otherwise } = effect;
  if (identity.socket !== context.socket) throw foreignServer(identity);
  const words = guardWords(context.nonce());
  const reply = await context.channel.ask({
    kind: "mutate",
    commands: [...(effect.before ?? []), guarded(identity, { demand, commands, words, ...(otherwise === undefined ? {} : { otherwise }) })],
    ...(isFlat(effect) ? { ends: [words.done, words.refused] } : {}),
    ...(effect.input === undefined ? {} : { input: effect.input }),
  });
  if (reply.kind === "unanswered") throw reply.error;
  if (reply.kind === "answered") {
    requireDone(reply.output, { identity, demand, words });
    return reply.output;
  }
  if (!isServerAbsent(reply.refusal)) throw refusalError(reply.refusal);
  const answer = await noServer(context, {
    server: { pid: identity.server_pid, start: identity.server_start },
    reason: reply.refusal.message,
  });
  throw answer.kind === "unknown" ? answer.error : paneGone(identity);
}

/** A failing command in a nested list does not end the outer list. */
function isFlat({ commands, otherwise = [] }: Effect): boolean {
  return [...commands, ...otherwise].every(([name]) => name !== "if-shell");
}
