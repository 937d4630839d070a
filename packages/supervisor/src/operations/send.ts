import { parseText, type Receipt, type SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import { settleSent } from "../comments/settle-sent.js";
import type { Context } from "../context.js";
import { type AcceptedSend, acceptedBefore, askedFor } from "../delivery/accept.js";
import { receiptOf } from "../delivery/receipt.js";
import { heldReceipt, type Running } from "../delivery/running.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { acceptFrom } from "../grants/accept-from.js";
import { paneOf } from "../observe/observe.js";
import { requireActive } from "../require-active.js";
import { withAttachments } from "../uploads/with-attachments.js";
import { openComments } from "./comments.js";

export interface SendInput {
  readonly session: string;
  readonly text: string;
  /** References to uploads of the session, appended to the text. */
  readonly attachments?: readonly string[] | undefined;
  /** Send the open comments on the session's changes before the text, which may then be empty. */
  readonly comments?: boolean | undefined;
  /** Type even though the session is not ready. */
  readonly now?: boolean | undefined;
  /** Return at once; the text is delivered in the background, without a time limit by default. */
  readonly no_wait?: boolean | undefined;
  /** Wait in the background, without a limit, until no other turn runs and the agent is ready. */
  readonly queue?: boolean | undefined;
  /** How long to wait for the agent to be ready; the default time if undefined. */
  readonly timeout_ms?: number | undefined;
  readonly interrupt?: boolean | undefined;
  readonly as_command?: boolean | undefined;
  /** Identifies a send: the same key with the same text is the same send. */
  readonly idempotency_key?: string | undefined;
  /** Aborted when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** The session that sends it with its own token; null or undefined for a user. */
  readonly actor?: string | null | undefined;
}

export interface Sent {
  readonly receipt: Receipt;
  readonly session: SessionFacts;
}

/**
 * Sends text to a session and returns a receipt.
 * @throws INVALID_TEXT, TEXT_TOO_LARGE, INVALID_STATE, IDEMPOTENCY_MISMATCH, QUEUE_FULL, TMUX_UNRESPONSIVE with nothing typed, and what the store throws
 */
export async function send(ctx: Context, input: SendInput): Promise<Sent> {
  const attachments = input.attachments ?? [];
  const plain = (attachments.length > 0 || input.comments === true) && input.text === "" ? "" : parseText(input.text);
  const record = await findSession(ctx, input.session);
  const { id } = record;
  const asking = { id, input, plain, attachments };
  const accepted = await (input.comments === true
    ? ctx.comments.sending(id, () => acceptComments(ctx, { record, asking }))
    : accept(ctx, asking));
  const receipt = accepted.kind === "done" ? storedReceipt(accepted.entry) : await answer(ctx, { running: accepted.running, input });
  const isIdle = accepted.kind === "done" || receipt.outcome === "held" || receipt.outcome === "refused";
  return { receipt, session: factsOf(ctx, isIdle ? record : await touch(ctx, record)) };
}

interface Asking {
  readonly id: string;
  readonly input: SendInput;
  readonly plain: string;
  readonly attachments: readonly string[];
}

/** The earlier send of its key, or a new one. */
async function accept(ctx: Context, { id, input, plain, attachments }: Asking): Promise<AcceptedSend> {
  const key = input.idempotency_key ?? null;
  const request = { text: plain, attachments, comments: input.comments ?? false };
  const before = await acceptedBefore(ctx, { session: id, key, ...request });
  if (before !== null) return before;
  const record = await requireActive(ctx, { session: id, verb: "send to" });
  const open = request.comments ? await openComments(ctx, record) : null;
  const whole = open === null ? plain : [open.prompt, ...(plain === "" ? [] : [plain])].join("\n\n");
  const attached = await withAttachments(ctx, { record, text: whole, attachments });
  const text = parseText(attached.text);
  const asked = askedFor(request);
  return acceptFrom(ctx, {
    actor: input.actor ?? null,
    target: record,
    request: { session: id, project: record.project_id, ...attached, text, asked, comments: open?.ids, ...flagsOf(input) },
  });
}

/** Likewise with the open comments, which it has taken when this resolves. */
async function acceptComments(
  ctx: Context,
  { record, asking }: { readonly record: SessionRecord; readonly asking: Asking },
): Promise<AcceptedSend> {
  await ctx.recovered();
  await settleSent(ctx, record);
  const accepted = await accept(ctx, asking);
  await settleSent(ctx, record);
  return accepted;
}

function flagsOf(input: SendInput) {
  const background = (input.no_wait ?? false) || (input.queue ?? false);
  return {
    key: input.idempotency_key ?? null,
    one_at_a_time: input.queue ?? false,
    background,
    ...patienceOf(input, background),
    now: input.now ?? false,
    interrupt: input.interrupt ?? false,
    as_command: input.as_command ?? false,
  };
}

/** A background send has no waiting caller, so only a requested timeout ends it. */
function patienceOf({ queue, timeout_ms }: SendInput, background: boolean): { readonly patience_ms?: number | null } {
  if (queue === true) return { patience_ms: null };
  if (timeout_ms !== undefined) return { patience_ms: timeout_ms };
  return background ? { patience_ms: null } : {};
}

/** A queued send that is typed at once is reported as such. */
const QUEUE_MS = 1_000;

async function answer(
  ctx: Pick<Context, "clock">,
  { running, input }: { readonly running: Running; readonly input: SendInput },
): Promise<Receipt> {
  if (input.no_wait === true) return heldReceipt(running, { reason: "accepted", evidence: [untilWhen(input)], hint: null });
  if (input.queue === true) {
    await Promise.race([running.receipt, running.held.then(() => ctx.clock.sleep(QUEUE_MS))]);
    const hold = running.hold();
    return hold === null ? running.receipt : heldReceipt(running, hold);
  }
  return whileCalled(running, input);
}

function untilWhen({ queue, timeout_ms }: SendInput): string {
  if (queue === true || timeout_ms === undefined) return "it waits until the session is ready or ends, or it is cancelled";
  return `it is refused if the session is not ready within ${timeout_ms / 1000} s`;
}

/** A caller that disconnects cancels its text before it is typed; one with a key is expected to repeat the request. */
async function whileCalled(running: Running, { signal, idempotency_key }: SendInput): Promise<Receipt> {
  if (signal === undefined) return running.receipt;
  const gone = new Promise<never>((_, reject) => {
    const leave = () => reject(new TmpmError("SHUTTING_DOWN", "the caller no longer waits for the receipt", { effect: "unknown" }));
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
  });
  const takeBack = () => running.takeBack("caller_gone");
  if (idempotency_key !== undefined) return Promise.race([running.receipt, gone]);
  gone.catch(takeBack);
  return running.receipt;
}

function storedReceipt({ id, bytes, receipt }: { readonly id: string; readonly bytes: number; readonly receipt: Receipt | null }): Receipt {
  if (receipt !== null) return receipt;
  return receiptOf({ outcome: "unconfirmed", reason: "interrupted", evidence: ["delivery ended without a receipt"] }, { id, bytes });
}

/** Presses keys, by their tmux names. @throws HOST_CANNOT, INVALID_ARGUMENT, INVALID_STATE, and errors of the driver */
export async function keys(ctx: Context, input: { readonly session: string; readonly keys: readonly string[] }): Promise<SessionFacts> {
  const { id } = await requireActive(ctx, { session: input.session, verb: "press keys in" });
  return ctx.queue.run(id, async () => {
    const record = await requireActive(ctx, { session: id, verb: "press keys in" });
    ctx.usage.limitResumes.acted(id);
    await ctx.host.keys(paneOf(record), input.keys);
    ctx.requests.sweep.notify();
    return factsOf(ctx, await touch(ctx, record));
  });
}

/** The text is delivered in any case, so a failing store is reported and does not fail the send. */
async function touch(ctx: Pick<Context, "clock" | "report" | "store">, record: SessionRecord): Promise<SessionRecord> {
  const now = timestampFromMs(ctx.clock.now());
  try {
    return await ctx.store.update(record.id, (current) => ({ ...current, last_activity_at: now, updated_at: now }));
  } catch (error) {
    ctx.report({ doing: `recording input to session ${record.name}`, error });
    return record;
  }
}
