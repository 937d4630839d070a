import {
  hasCode,
  isTmpmError,
  laneDepth,
  type SendCause,
  type SendEntry,
  TmpmError,
  TURN_REASONS,
  type Turn,
  timestampFromMs,
  type UploadEntry,
} from "@tmpm/core";
import type { Context } from "../context.js";
import { newTurn } from "../turns/new-turn.js";
import { UNANSWERED } from "../unanswered.js";
import { conclude } from "./conclude.js";
import { conduct } from "./conduct.js";
import { digestOf } from "./digest-of.js";
import { isPassing } from "./faults.js";
import { utf8Bytes } from "./receipt.js";
import { type Running, running } from "./running.js";

export type SendFlags = Pick<SendEntry, "key" | "background" | "patience_ms" | "one_at_a_time" | "now" | "interrupt" | "as_command">;

export interface SendRequest extends SendFlags {
  /** By default one is made. */
  readonly id?: string;
  readonly session: string;
  readonly project: string;
  /** As returned by `parseText` of `@tmpm/core`. */
  readonly text: string;
  /** The digest of the request, for a text composed of more than its own; see `askedFor`. */
  readonly asked?: string | undefined;
  /** Ids of the comments that the text begins with. */
  readonly comments?: readonly string[] | undefined;
  /** The attachments that the text names. */
  readonly attachments?: readonly UploadEntry[];
  /** The cause of a session's text, computed once the text is known to be new. */
  readonly cause?: () => Promise<SendCause | undefined>;
}

export const PLAIN: SendFlags = {
  key: null,
  background: false,
  one_at_a_time: false,
  now: false,
  interrupt: false,
  as_command: false,
};

/** An accepted send: under way, or already done under the same key. */
export type AcceptedSend = { readonly kind: "running"; readonly running: Running } | { readonly kind: "done"; readonly entry: SendEntry };

/**
 * Accepts a text for delivery. It is durable when this resolves, and has exactly one outcome, also across a restart.
 * @throws QUEUE_FULL, IDEMPOTENCY_MISMATCH for a key that was used for another text, and the errors of `SendJournal.accept` with nothing
 * typed
 */
export async function acceptSend(ctx: Context, request: SendRequest): Promise<AcceptedSend> {
  await ctx.recovered();
  return ctx.queues.accepting.run(
    request.session,
    async () => (await earlier(ctx, request)) ?? { kind: "running", running: await begin(ctx, request) },
  );
}

async function earlier(
  ctx: Pick<Context, "deliveries" | "sends">,
  { key, session, text, asked = digestOf(text) }: SendRequest,
): Promise<AcceptedSend | null> {
  const known = await withKey(ctx, { session, key });
  if (known === null) return null;
  const { entry } = known;
  if (entry.digest !== digestOf(text) && entry.asked !== asked) throw usedForAnother(entry);
  return known.accepted;
}

/** A request whose parts may have changed since it was accepted: uploads expire, and comments are sent once. */
export interface RequestedParts {
  readonly session: string;
  readonly key: string | null;
  readonly text: string;
  readonly attachments: readonly string[];
  readonly comments: boolean;
}

/** The digest of a request. */
export function askedFor({ text, attachments, comments }: Omit<RequestedParts, "session" | "key">): string {
  return attachments.length === 0 && !comments ? digestOf(text) : digestOf(JSON.stringify([text, attachments, comments]));
}

/**
 * The send accepted for the same request with the same key, whatever has happened to its session, uploads and comments since; null for a new
 * one. @throws IDEMPOTENCY_MISMATCH
 */
export async function acceptedBefore(
  ctx: Pick<Context, "deliveries" | "recovered" | "sends">,
  { session, key, ...request }: RequestedParts,
): Promise<AcceptedSend | null> {
  if (key === null) return null;
  await ctx.recovered();
  const known = await withKey(ctx, { session, key });
  if (known === null) return null;
  const { entry } = known;
  // Written by a version that compared only the composed text.
  if (entry.asked === undefined && (request.attachments.length > 0 || request.comments)) return null;
  if ((entry.asked ?? entry.digest) !== askedFor(request)) throw usedForAnother(entry);
  return known.accepted;
}

async function withKey(
  ctx: Pick<Context, "deliveries" | "sends">,
  { session, key }: { readonly session: string; readonly key: string | null },
): Promise<{ readonly entry: SendEntry; readonly accepted: AcceptedSend } | null> {
  if (key === null) return null;
  const entry = (await ctx.sends.list(session)).find((known) => known.key === key);
  if (entry === undefined) return null;
  const running = ctx.deliveries.get(entry);
  return { entry, accepted: running === undefined ? { kind: "done", entry } : { kind: "running", running } };
}

function usedForAnother({ key, id }: SendEntry): TmpmError {
  return new TmpmError("IDEMPOTENCY_MISMATCH", `the key ${JSON.stringify(key)} was used for another text`, {
    hint: "Use a new key for each text.",
    details: { key, send: id },
  });
}

async function begin(
  ctx: Context,
  { id = ctx.newId(), session, project, text, asked, comments, attachments = [], cause: causing, ...flags }: SendRequest,
): Promise<Running> {
  const cause = await causing?.();
  const at = timestampFromMs(ctx.clock.now());
  const digest = digestOf(text);
  const entry: SendEntry = {
    ...flags,
    schema_version: 1,
    id,
    session_id: session,
    digest,
    ...(asked === undefined || asked === digest ? {} : { asked }),
    ...(comments === undefined ? {} : { comments: [...comments] }),
    bytes: utf8Bytes(text),
    accepted_at: at,
    updated_at: at,
    ...(cause === undefined ? {} : { cause }),
    step: "accepted",
    pane: null,
    screen: null,
    enters: 0,
    receipt: null,
    left: null,
  };
  const generation = await ctx.turns.nextGeneration(session);
  const turn = () => newTurn({ entry, text, attachments, project, generation, lane: ctx.turns.lane(session) });
  requireRoom(ctx, turn());
  await ctx.sends.accept(entry, text);
  ctx.turns.apply(session, { type: "accepted", turn: turn() });
  await ctx.reached("send.accepted");
  return start(ctx, { entry, text, conduct: (self) => conduct(ctx, self) });
}

/** @throws QUEUE_FULL */
function requireRoom(ctx: Pick<Context, "settings" | "turns">, turn: Turn): void {
  const depth = laneDepth(ctx.turns.lane(turn.session_id));
  if (depth < ctx.settings.queueDepth) return;
  const { code } = TURN_REASONS.queue_full;
  const ended_at = turn.accepted_at;
  ctx.turns.refuse({ ...turn, state: "ended", outcome: "failed", reason: "queue_full", code, ended_at });
  throw new TmpmError("QUEUE_FULL", `session ${turn.session_id} queue full (${depth} pending requests)`, {
    hint: "Wait until some of them are done, or cancel some with `tmpm queue SESSION remove`.",
    details: { session: turn.session_id, turn: turn.id, depth },
  });
}

/** Starts a send. Its failure goes to the caller; in the background it is reported. */
export function start(
  ctx: Context,
  begun: { readonly entry: SendEntry; readonly text: string; readonly conduct: Parameters<typeof running>[0]["conduct"] },
): Running {
  const conducted = async (self: Running) => {
    try {
      return await begun.conduct(self);
    } catch (error) {
      await concludeFailed(ctx, { running: self, error });
      throw error;
    }
  };
  const self = running({ ...begun, conduct: conducted, wake: () => ctx.changes.wake(begun.entry.session_id) });
  ctx.deliveries.add(self);
  const wake = () => ctx.changes.wake(self.session);
  self.receipt.then(wake, wake);
  self.receipt.catch((error: unknown) => {
    if (begun.entry.background || !hasCode(error, ...UNANSWERED)) ctx.report({ doing: `delivering send ${begun.entry.id}`, error });
  });
  return self;
}

/** A text that may have been typed when tmpm itself failed is judged by the next daemon, and its turn with it. */
async function concludeFailed(ctx: Context, { running, error }: { readonly running: Running; readonly error: unknown }): Promise<void> {
  const { step } = running.entry();
  if (step === "done") return;
  if (step !== "accepted" && !isPassing(error)) {
    ctx.turns.abandon(running.session, running.id);
    return;
  }
  const outcome = step === "accepted" ? "refused" : "unconfirmed";
  const evidence = [error instanceof Error ? error.message : String(error)];
  const fault = isTmpmError(error) ? error.code : TURN_REASONS.fault.code;
  await conclude(ctx, { running, verdict: { outcome, reason: "failed", evidence, left: outcome === "refused" ? null : "" }, fault });
}
