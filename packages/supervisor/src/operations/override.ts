import {
  invalidState,
  isTerminal,
  type OverridesPatch,
  parseOverridesPatch,
  type SessionOverrides,
  TmpmError,
  timestampFromMs,
} from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { changeAgent, type LiveChange } from "../overrides/change-agent.js";
import { concerned, mergedFor, overridesOf, withOverrides } from "../overrides/session-overrides.js";
import { type AsSeen, requireRev } from "../require-rev.js";

export interface OverrideInput extends OverridesPatch, AsSeen {
  readonly session: string;
}

export interface Overridden extends LiveChange {
  readonly session: SessionFacts;
  /** All of them, after the change. */
  readonly overrides: SessionOverrides;
}

/**
 * Changes a session's overrides of its agent's settings: at once where the running agent supports it, else with its next launch. Changes of
 * one session apply in call order, and a rejected one leaves nothing behind.
 * @throws INVALID_ARGUMENT, INVALID_STATE, REV_CONFLICT, and errors of driver and store
 */
export async function override(ctx: Context, { session, rev, ...given }: OverrideInput): Promise<Overridden> {
  const patch = parseOverridesPatch(given);
  if (Object.keys(patch).length === 0) throw new TmpmError("INVALID_ARGUMENT", "there is nothing to set");
  const { id } = await findSession(ctx, session);
  return ctx.queues.overriding.run(id, async () => {
    const record = await findSession(ctx, id);
    requireRev(record, { rev });
    if (isTerminal(record)) throw invalidState(record, { verb: "change", allowed: ["provisioning", "active", "stopped", "errored"] });
    const adapter = agentOf(ctx, record);
    const before = overridesOf(record);
    const after = mergedFor(ctx, { adapter, before, patch });
    const fields = concerned({ before, after, patch });
    const change = await changeAgent(ctx, { record, adapter, fields, before, after });
    const now = timestampFromMs(ctx.clock.now());
    const next = await ctx.store.update(id, (current) => ({ ...current, ...withOverrides(current.agent_config, after), updated_at: now }));
    ctx.emit({ type: "session_edited", at: now, session_id: id, fields: [...fields], reason: "asked" });
    return { session: factsOf(ctx, next), overrides: after, ...change };
  });
}
