import { invalidState, parseText, type SessionState, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { concludeNow } from "../observe/conclude.js";
import { recordChange } from "../record-change.js";
import { type AsSeen, requireRev } from "../require-rev.js";
import { requireSettled } from "../require-settled.js";

const LONGEST_MESSAGE = 4_096;
const FROM: readonly SessionState[] = ["stopped", "errored"];

/**
 * Records that the last run of a session failed, with the reason; its task is unchanged. The caller must stop a running session first.
 * @throws INVALID_STATE, INVALID_TEXT, INVALID_ARGUMENT, and errors of the store
 */
export async function markErrored(
  ctx: Context,
  input: AsSeen & { readonly session: string; readonly message: string },
): Promise<SessionFacts> {
  const message = messageOf(input.message);
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    const record = await concludeNow(ctx, id);
    requireRev(record, input);
    if (!FROM.includes(record.state)) throw invalidState(record, { verb: "mark as errored", allowed: FROM });
    requireSettled(record, "mark as errored");
    const { exit, last_lines } = record;
    const error = { code: "MARKED_ERRORED", message };
    const change = () => ({ type: "failed", error, exit, last_lines }) as const;
    return factsOf(ctx, await recordChange(ctx, { id, change, reason: "marked_errored" }));
  });
}

function messageOf(text: string): string {
  const message = parseText(text).trim();
  if (message !== "" && message.length <= LONGEST_MESSAGE) return message;
  throw new TmpmError("INVALID_ARGUMENT", `a message has 1 to ${LONGEST_MESSAGE} characters`, { details: { field: "message" } });
}
