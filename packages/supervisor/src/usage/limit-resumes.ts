import { createHash } from "node:crypto";
import { afterLimitLook, type EventBody, msFromTimestamp, type SessionRecord, waitingTurns } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf } from "../facts.js";
import { submit } from "../operations/submit.js";

/** Lets sessions continue automatically after a usage limit, if configured. */
export interface LimitResumes {
  hear(event: EventBody): void;
  /** A user typed in a session's terminal. */
  acted(session: string): void;
  look(record: SessionRecord): Promise<void>;
}

/** Sessions continue within this time after a reset. */
const SPREAD_MS = 5 * 60_000;
const RESTING: readonly string[] = ["idle", "errored"];

export function limitResumes(context: () => Context): LimitResumes {
  /** When a user last acted, in milliseconds since 1970. */
  const acted = new Map<string, number>();
  const note = (session: string) => void acted.set(session, context().clock.now());
  const ours = new Set<string>();
  /** Sessions with a prompt of ours being accepted. */
  const sending = new Set<string>();

  return {
    hear(event) {
      if (event.session_id === null) return;
      if (event.type === "decision_answered") note(event.session_id);
      if (event.type === "session_text_sent" && !sending.has(event.session_id) && !ours.delete(event.send_id ?? "")) note(event.session_id);
    },
    acted: note,
    async look(record) {
      const ctx = context();
      const { on, tries, prompt } = ctx.settings.resumeAfterLimit;
      if (!on) return;
      const { activity, viewers } = factsOf(ctx, record);
      const usage = ctx.usage.registry.of(record.id);
      // Input that led to the limit does not end its plan.
      const sinceMs = usage.limit_resume === null ? msFromTimestamp(activity.since) : 0;
      const actedMs = acted.get(record.id) ?? 0;
      acted.delete(record.id);
      const lane = ctx.turns.lane(record.id);
      const asked = waitingTurns(lane).some(({ id }) => !ours.has(id));
      const draft = ctx.observations.get(record.id)?.reading.draft ?? "";
      // During a turn, the text may be its prompt.
      const typed = draft !== "" && lane.open.length === 0;
      const seen = {
        nowMs: ctx.clock.now(),
        limit: activity.limit,
        rests: RESTING.includes(activity.state) && record.paused_at === null,
        person: actedMs > sinceMs || viewers > 0 || asked || typed,
      };
      const { plan, send } = afterLimitLook(usage.limit_resume, { seen, rules: { tries, laterMs: laterMs(record.id) } });
      if (JSON.stringify(plan) === JSON.stringify(usage.limit_resume)) return;
      ctx.usage.registry.take({ ...usage, limit_resume: plan });
      ctx.usage.registry.write(record.id);
      if (!send) return;
      // A prompt counts before it is sent, so that after a crash too few are sent rather than too many.
      await ctx.usage.registry.drained();
      sending.add(record.id);
      try {
        const { turn } = await submit(ctx, { session: record.id, prompt });
        ours.add(turn.id);
      } finally {
        sending.delete(record.id);
      }
    },
  };
}

/** Stable for a session, and spread over sessions. */
function laterMs(id: string): number {
  return createHash("sha256").update(id).digest().readUInt32BE(0) % SPREAD_MS;
}
