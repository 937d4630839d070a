import { parseText, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { type AcceptedSend, acceptedBefore, askedFor } from "../delivery/accept.js";
import { findSession } from "../find-session.js";
import { acceptFrom } from "../grants/accept-from.js";
import { requireActive } from "../require-active.js";
import { findTurn } from "../turns/find-turn.js";
import { type TurnFacts, turnFacts } from "../turns/turn-facts.js";
import { withAttachments } from "../uploads/with-attachments.js";

export interface SubmitInput {
  readonly session: string;
  readonly prompt: string;
  /** References to uploads of the session, appended to the prompt. */
  readonly attachments?: readonly string[] | undefined;
  /** Wait for its turn without a limit. */
  readonly queue?: boolean | undefined;
  /** How long it may wait for its turn; the default time if undefined. */
  readonly timeout_ms?: number | undefined;
  readonly as_command?: boolean | undefined;
  /** Identifies a turn: the same key with the same prompt is the same turn. */
  readonly idempotency_key?: string | undefined;
  /** Like a send's. */
  readonly actor?: string | null | undefined;
}

/**
 * Accepts a prompt as a turn of its own, which begins when no other turn of the session runs and the agent is ready.
 * @throws INVALID_TEXT, TEXT_TOO_LARGE, INVALID_STATE, IDEMPOTENCY_MISMATCH, QUEUE_FULL with the refused turn in the details, and errors of
 * the store
 */
export async function submit(ctx: Context, input: SubmitInput): Promise<TurnFacts> {
  const attachments = input.attachments ?? [];
  const plain = attachments.length > 0 && input.prompt === "" ? "" : parseText(input.prompt);
  const found = await findSession(ctx, input.session);
  const key = input.idempotency_key ?? null;
  const asked = { text: plain, attachments, comments: false };
  const before = await acceptedBefore(ctx, { session: found.id, key, ...asked });
  if (before !== null) return turnOf(ctx, { record: found, accepted: before });
  const record = await requireActive(ctx, { session: found.id, verb: "prompt" });
  const attached = await withAttachments(ctx, { record, text: plain, attachments });
  const request = {
    session: record.id,
    project: record.project_id,
    attachments: attached.attachments,
    text: parseText(attached.text),
    asked: askedFor(asked),
    key,
    background: true,
    patience_ms: input.queue === true ? null : (input.timeout_ms ?? ctx.settings.turnWaitMs),
    one_at_a_time: true,
    now: false,
    interrupt: false,
    as_command: input.as_command ?? false,
  };
  const accepted = await acceptFrom(ctx, { actor: input.actor ?? null, target: record, request });
  return turnOf(ctx, { record, accepted });
}

async function turnOf(
  ctx: Pick<Context, "deliveries" | "observations" | "turns">,
  { record, accepted }: { readonly record: SessionRecord; readonly accepted: AcceptedSend },
): Promise<TurnFacts> {
  const id = accepted.kind === "running" ? accepted.running.id : accepted.entry.id;
  return turnFacts(ctx, await findTurn(ctx, { session: record, turn: id }));
}
