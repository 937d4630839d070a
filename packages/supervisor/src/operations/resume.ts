import { type ControlModel, invalidState, type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { finishFirst } from "../discovery/finish-interrupted.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { hostAgain, requireSameHost } from "../launch/host-again.js";
import type { Environment } from "../launch/launch-env.js";
import { planAgain, relaunch } from "../launch/relaunch.js";
import { requireStanding } from "../launch/require-standing.js";
import { concludeNow } from "../observe/conclude.js";
import { recordEvent } from "../record-change.js";
import { type AsSeen, requireRev } from "../require-rev.js";
import { recreate } from "../workspace/recreate.js";

export interface ResumeInput extends AsSeen {
  readonly session: string;
  /** The host it resumes on; the previous one by default. */
  readonly control?: ControlModel | undefined;
  /** Recreates its workspace when its directory is gone. */
  readonly recreate?: boolean | undefined;
  readonly search_path?: string | undefined;
  readonly env?: Environment | undefined;
}

/**
 * Unpauses a paused session; launches a stopped or errored one again: the same agent, directory and conversation, on the same host by
 * default. @throws INVALID_STATE, INVALID_ARGUMENT, HOST_UNAVAILABLE, DIRECTORY_NOT_FOUND or REPOSITORY_NOT_FOUND with nothing started,
 * AGENT_NOT_INSTALLED, NAME_TAKEN, LAUNCH_FAILED, and errors of driver and store
 */
export async function resume(ctx: Context, input: ResumeInput): Promise<SessionFacts> {
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    // A program that has just ended is resumed, even if its end is not recorded yet.
    const before = await concludeNow(ctx, id);
    requireRev(before, input);
    const { record } = await finishFirst(ctx, before);
    const wanted = input.control;
    if (record.state === "active") requireSameHost({ record, wanted });
    if (record.state === "active" && record.paused_at !== null) return factsOf(ctx, await lift(ctx, record));
    if (record.state !== "stopped" && record.state !== "errored")
      throw invalidState(record, { verb: "resume", allowed: ["stopped", "errored"] });
    const control = await hostAgain(ctx, { record, wanted });
    const standing = input.recreate === true ? await recreate(ctx, record) : record;
    await requireStanding(ctx, standing);
    const plan = await planAgain(ctx, { record: { ...standing, control }, searchPath: input.search_path, env: input.env });
    const config = input.search_path === undefined ? {} : { search_path: input.search_path };
    return factsOf(ctx, await relaunch(ctx, { record: standing, plan, op: "resume", config, control }));
  });
}

async function lift(ctx: Context, { id }: SessionRecord): Promise<SessionRecord> {
  const record = await recordEvent(ctx, id, { type: "unpaused" });
  await ctx.reached("unpause.recorded");
  ctx.requests.sweep.notify();
  ctx.emit({ type: "session_unpaused", at: timestampFromMs(ctx.clock.now()), session_id: id, reason: "asked" });
  return record;
}
