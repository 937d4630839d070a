import type { HookReading } from "@tmpm/agents";
import { LONG_WAIT_MS, type SessionRecord } from "@tmpm/core";
import { askedByHook, closeOpen } from "../activity/asked.js";
import type { Edge } from "../activity/evidence.js";
import { isQuestion, withEdge, withPrompt, withSubagent } from "../activity/track.js";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { beginMs } from "../observe/expect-turn.js";
import { learn } from "../observe/learn.js";
import { changeConversation } from "./conversation-changed.js";

export interface HookReport {
  readonly record: SessionRecord;
  readonly reading: HookReading;
  /** The source of the report: a hook of the agent, or its protocol. */
  readonly source: Edge["source"];
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** Handles a reported change. */
export function takeEdge(ctx: Context, { record, reading, source, atMs }: HookReport): void {
  const { state, decision, subagent } = reading;
  const edge = edgeOf(reading, { source, atMs });
  const nowMs = ctx.clock.now();
  const who = { session_id: record.id, agent: record.agent, nowMs, newId: ctx.newId };
  if (typeof reading.skill === "string") ctx.observations.setSkill(record.id, reading.skill);
  if (reading.prompted) ctx.hookReports.edges.promptSubmitted(record.id, { atMs, prompt: reading.prompt ?? null });
  learn(ctx, record, ({ track, asked }) => {
    const changed = withEdge(track, edge);
    const heard = reading.prompted ? withPrompt(changed, { atMs, untilMs: nowMs + beginMs(agentOf(ctx, record)) }) : changed;
    // Only the screen ends a dialog that it still shows: other tools may continue meanwhile.
    const ends = state !== null && !isQuestion(state) && asked.open?.screen_digest === null;
    const left = ends ? closeOpen(asked, { how: "moved_on", answer: null, atMs: nowMs }) : asked;
    return {
      track: subagent === null ? heard : withSubagent(heard, subagent),
      asked: decision === null ? left : askedByHook(asked, decision, who),
    };
  });
  ctx.requests.observe.notify(record.id);
}

/** An agent that waits long before it continues is blocked. */
function edgeOf({ event, state, evidence, waits, limit = null }: HookReading, { source, atMs }: Pick<HookReport, "source" | "atMs">): Edge {
  const untilMs = waits?.resetsAtMs ?? atMs;
  const heldUp = untilMs - atMs >= LONG_WAIT_MS;
  return { event, source, what: evidence, atMs, state: heldUp ? "blocked" : state, limit: heldUp ? (waits ?? null) : limit };
}

/** The agent chose its conversation, or began another one, which is the one to resume. */
export async function bindConversation(
  ctx: Pick<Context, "clock" | "emit" | "store">,
  { record, reading }: Pick<HookReport, "record" | "reading">,
): Promise<void> {
  const { conversationId, binds } = reading;
  const isNews = conversationId !== null && conversationId !== record.conversation_id && (binds || record.conversation_id === null);
  if (!isNews) return;
  await changeConversation(ctx, { record, conversationId, reason: "agent" });
}
