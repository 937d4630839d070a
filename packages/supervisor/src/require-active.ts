import { invalidState, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "./context.js";
import { findSession } from "./find-session.js";

/** The session that is meant, if it runs. @throws INVALID_STATE, and the errors of `findSession` */
export async function requireActive(ctx: Context, request: { readonly session: string; readonly verb: string }): Promise<SessionRecord> {
  const record = await findSession(ctx, request.session);
  if (record.state !== "active") throw invalidState(record, { verb: request.verb, allowed: ["active"] });
  return record;
}

/**
 * Proves that the session's terminal exists. @throws PANE_GONE when it is proven gone, TMUX_UNRESPONSIVE and the like when that cannot be
 * determined
 */
export async function requirePresent(ctx: Pick<Context, "host">, record: SessionRecord): Promise<void> {
  if (record.pane === null) throw new TmpmError("PANE_GONE", `session ${record.name} has no terminal`, { details: { id: record.id } });
  const answer = await ctx.host.find(record.pane);
  if (answer.kind === "unknown") throw answer.error;
  if (answer.kind === "absent") {
    throw new TmpmError("PANE_GONE", `the terminal of session ${record.name} is gone: ${answer.reason}`, {
      hint: `\`tmpm resume ${record.name}\` restarts it.`,
      details: { id: record.id },
    });
  }
}
