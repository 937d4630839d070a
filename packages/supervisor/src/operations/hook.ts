import type { HookReading } from "@tmpm/agents";
import { type SessionRecord, TmpmError } from "@tmpm/core";
import { withSubagent } from "../activity/track.js";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { isLaunching } from "../hooks/is-launching.js";
import type { Refusal } from "../hooks/refusals.js";
import { opens } from "../hooks/session-token.js";
import { bindConversation, takeEdge } from "../hooks/take-edge.js";
import { learn } from "../observe/learn.js";

/** Identifies the reporting session. */
export interface Reporter {
  /** A session's full id. */
  readonly session: string;
  readonly token: string | null;
}

export interface HookInput extends Reporter {
  /** The event from the agent's hook, as JSON. */
  readonly payload: unknown;
  /** When the hook was called, in milliseconds since 1970. */
  readonly at_ms?: number | undefined;
}

export interface Hooked {
  readonly taken: boolean;
  /** Why it changed nothing; null when it was accepted. */
  readonly reason: Refusal | null;
}

/**
 * Handles an event from a session's agent. An unknown session or token is refused and counted; an event of another conversation, or of a
 * session that does not run, changes nothing. @throws TOKEN_REFUSED
 */
export async function hook(ctx: Context, input: HookInput): Promise<Hooked> {
  const record = await authorised(ctx, input);
  await ctx.recalled();
  const nowMs = ctx.clock.now();
  const ignored = (reason: Refusal): Hooked => {
    ctx.hookReports.refusals.refuse(reason, nowMs);
    return { taken: false, reason };
  };
  // The first hooks may come before the launch is recorded.
  if (record.state !== "active" && !isLaunching(record)) return ignored("not_running");
  const reading = agentOf(ctx, record).hooks?.read(input.payload) ?? null;
  if (reading === null) return ignored("not_understood");
  const { subagents } = ctx.observations.known(record.id).track;
  if (reading.conversationId !== null && subagents.has(reading.conversationId)) {
    if (reading.state === "idle") subagentEnded(ctx, { record, id: reading.conversationId });
    return { taken: true, reason: null };
  }
  if (isElsewhere(record, reading)) return ignored("other_conversation");
  ctx.hookReports.refusals.took();
  takeEdge(ctx, { record, reading, source: "hook", atMs: happenedAt(input.at_ms, nowMs) });
  await bindConversation(ctx, { record, reading });
  return { taken: true, reason: null };
}

/** Whether a session's agent may report, before the report is read; refusals are counted. @throws TOKEN_REFUSED */
export async function authoriseReport(ctx: Context, reporter: Reporter): Promise<void> {
  await authorised(ctx, reporter);
}

/** The response is the same for a wrong session and a wrong token, so that guessing reveals nothing. */
async function authorised(ctx: Context, { session, token }: Reporter): Promise<SessionRecord> {
  const entry = await ctx.store.get(session);
  const digest = entry?.kind === "session" ? ((await ctx.hooks?.tokenDigest(session)) ?? null) : null;
  if (entry?.kind === "session" && token !== null && digest !== null && opens(token, digest)) return entry.record;
  ctx.hookReports.refusals.refuse(entry?.kind === "session" ? "wrong_token" : "unknown_session", ctx.clock.now());
  throw new TmpmError("TOKEN_REFUSED", "the report was refused: the token is not valid for this session", {
    hint: "A token is valid for one launch; `tmpm doctor` counts refused reports.",
  });
}

/** Agents have internal conversations too, for titles and summaries. */
function isElsewhere({ conversation_id }: SessionRecord, { conversationId, binds }: HookReading): boolean {
  return !binds && conversationId !== null && conversation_id !== null && conversationId !== conversation_id;
}

/** A wrong clock must not make an event permanently older or newer than all others. */
function happenedAt(atMs: number | undefined, nowMs: number): number {
  return atMs === undefined || atMs > nowMs || nowMs - atMs > OLDEST_MS ? nowMs : atMs;
}

const OLDEST_MS = 10_000;

function subagentEnded(ctx: Context, { record, id }: { readonly record: SessionRecord; readonly id: string }): void {
  learn(ctx, record, (known) => ({ ...known, track: withSubagent(known.track, { change: "ended", id }) }));
}
