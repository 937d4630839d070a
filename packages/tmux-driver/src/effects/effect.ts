import type { PaneIdentity } from "@tmpm/core";
import { isServerAbsent, refusalError } from "../failure.js";
import { noServer } from "../observe/find.js";
import type { ServerContext } from "../server/server-context.js";
import type { Command } from "../transport/channel.js";
import { type Demand, foreignServer, guarded, guardWords, paneGone, requireDone } from "./guard.js";

export interface Effect {
  readonly identity: PaneIdentity;
  readonly demand: Demand;
  /** Harmless, and run in any case. */
  readonly before?: readonly Command[];
  readonly commands: readonly Command[];
  /** Run instead of the commands when the guard refuses. */
  readonly otherwise?: readonly Command[];
  readonly input?: string;
}

/** Resolves with what they printed when the commands ran in exactly this pane. @throws PANE_GONE, PANE_FOREIGN, PANE_DEAD, PANE_IN_MODE, TMUX_UNRESPONSIVE, TMUX_FAILED */
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

/** A command that fails in a list of its own does not end the list around it. */
function isFlat({ commands, otherwise = [] }: Effect): boolean {
  return [...commands, ...otherwise].every(([name]) => name !== "if-shell");
}
