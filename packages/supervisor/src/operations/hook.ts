import type { HookReading } from "@tmpm/agents";
import { type SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import { askedByHook, closeOpen } from "../activity/asked.js";
import type { Edge } from "../activity/evidence.js";
import { isQuestion, withEdge, withPrompt, withSubagent } from "../activity/track.js";
import type { Context } from "../context.js";
import type { Refusal } from "../hooks/refusals.js";
import { opens } from "../hooks/session-token.js";
import { beginMs } from "../looks/expect-turn.js";
import { learn } from "../looks/learn.js";

export interface HookInput {
  /** A session's whole id. */
  readonly session: string;
  readonly token: string | null;
  /** What the agent gave its hook, as JSON. */
  readonly payload: unknown;
  /** When the hook was called, in milliseconds since 1970. */
  readonly at_ms?: number | undefined;
}

export interface Hooked {
  readonly taken: boolean;
  /** Why it changed nothing; null when it was taken. */
  readonly reason: Refusal | null;
}

/**
 * Takes an event that a session's agent reports. A session or token that is not known is refused and counted; an event of another conversation, or
 * of a session that does not run, changes nothing. @throws TOKEN_REFUSED
 */
export async function hook(ctx: Context, input: HookInput): Promise<Hooked> {
  const record = await authorised(ctx, input);
  await ctx.recalled();
  const nowMs = ctx.clock.now();
  const ignored = (reason: Refusal): Hooked => {
    ctx.refusals.refuse(reason, nowMs);
    return { taken: false, reason };
  };
  // The first hooks may come before the launch is recorded.
  if (record.state !== "active" && record.state !== "provisioning" && record.intent?.op !== "resume") return ignored("not_running");
  const reading = ctx.agent(record.agent).hooks?.read(input.payload) ?? null;
  if (reading === null) return ignored("not_understood");
  const { subagents } = ctx.observations.known(record.id).track;
  if (reading.conversationId !== null && subagents.has(reading.conversationId)) {
    if (reading.state === "idle") subagentEnded(ctx, { record, id: reading.conversationId });
    return { taken: true, reason: null };
  }
  if (isElsewhere(record, reading)) return ignored("other_conversation");
  take(ctx, { record, reading, atMs: happenedAt(input.at_ms, nowMs) });
  await bind(ctx, { record, reading });
  return { taken: true, reason: null };
}

/** The answer is the same whether the session or the token is wrong: it tells a guesser nothing. */
async function authorised(ctx: Context, { session, token }: HookInput): Promise<SessionRecord> {
  const entry = await ctx.store.get(session);
  const digest = entry?.kind === "session" ? ((await ctx.hooks?.tokenDigest(session)) ?? null) : null;
  if (entry?.kind === "session" && token !== null && digest !== null && opens(token, digest)) return entry.record;
  ctx.refusals.refuse(entry?.kind === "session" ? "wrong_token" : "unknown_session", ctx.clock.now());
  throw new TmpmError("TOKEN_REFUSED", "the report was refused: the token does not open this session", {
    hint: "A token is good for one launch; `tmpm doctor` counts what was refused.",
  });
}

/** Agents hold conversations with themselves too, for titles and summaries. */
function isElsewhere({ conversation_id }: SessionRecord, { conversationId, binds }: HookReading): boolean {
  return !binds && conversationId !== null && conversation_id !== null && conversationId !== conversation_id;
}

/** A clock that went wrong must not make an event older or newer than all others for ever. */
function happenedAt(atMs: number | undefined, nowMs: number): number {
  return atMs === undefined || atMs > nowMs || nowMs - atMs > OLDEST_MS ? nowMs : atMs;
}

const OLDEST_MS = 10_000;

interface Happened {
  readonly record: SessionRecord;
  readonly reading: HookReading;
  readonly atMs: number;
}

function take(ctx: Context, { record, reading, atMs }: Happened): void {
  const { event, state, evidence, decision, subagent } = reading;
  const edge: Edge = { event, state, what: evidence, atMs };
  const nowMs = ctx.clock.now();
  const who = { session_id: record.id, agent: record.agent, nowMs, newId: ctx.newId };
  ctx.refusals.took();
  if (reading.prompted) ctx.hookEdges.promptSubmitted(record.id, atMs);
  learn(ctx, record, ({ track, asked }) => {
    const told = withEdge(track, edge);
    const heard = reading.prompted ? withPrompt(told, { atMs, untilMs: nowMs + beginMs(ctx.agent(record.agent)) }) : told;
    // What the screen still shows, only the screen ends: other tools may go on meanwhile.
    const ends = state !== null && !isQuestion(state) && asked.open?.screen_digest === null;
    const left = ends ? closeOpen(asked, { how: "moved_on", answer: null, atMs: nowMs }) : asked;
    return {
      track: subagent === null ? heard : withSubagent(heard, subagent),
      asked: decision === null ? left : askedByHook(asked, decision, who),
    };
  });
  ctx.nudges.nudge(record.id);
}

function subagentEnded(ctx: Context, { record, id }: { readonly record: SessionRecord; readonly id: string }): void {
  learn(ctx, record, (known) => ({ ...known, track: withSubagent(known.track, { change: "ended", id }) }));
}

/** The agent chose its conversation, or began another one: that is the one to resume. */
async function bind(ctx: Context, { record, reading }: Pick<Happened, "record" | "reading">): Promise<void> {
  const { conversationId, binds } = reading;
  const isNews = conversationId !== null && conversationId !== record.conversation_id && (binds || record.conversation_id === null);
  if (!isNews) return;
  const now = timestampFromMs(ctx.clock.now());
  await ctx.store.update(record.id, (current) =>
    current.conversation_id === conversationId ? current : { ...current, conversation_id: conversationId, updated_at: now },
  );
}
