import { canTransition, type Finished, invalidState, type SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import type { FinishPlan, FinishRequest } from "@tmpm/workspace";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { concludeFinish, type FinishedSession, movedNothing, nothingFinished, reflogMessage } from "../finish/conclude-finish.js";
import { finishMessage } from "../finish/finish-message.js";
import { type ProposedPullRequest, propose } from "../finish/propose.js";
import { requireMergeable } from "../finish/require-mergeable.js";
import { requireStanding } from "../launch/require-standing.js";
import { recordIntent } from "../record-change.js";
import { type AsSeen, requireRev } from "../require-rev.js";
import { requireSettled } from "../require-settled.js";
import type { WorkspaceEnd } from "../workspace/end-workspace.js";
import { endOrLetGo, remove } from "./remove.js";

export interface FinishInput extends AsSeen {
  readonly session: string;
  readonly how: "merge" | "squash" | "rebase" | "pr" | "keep";
  /** Local target branch; by default, the one that the work started from. */
  readonly into?: string | undefined;
  readonly dry_run?: boolean | undefined;
  /** Commits uncommitted work, with this message. */
  readonly commit?: string | undefined;
  /** The message of a merge or squash commit, or title and description of a pull request. */
  readonly message?: string | undefined;
  /** Opens the pull request as a draft. */
  readonly draft?: boolean | undefined;
}

export interface FinishOutcome {
  readonly session: SessionFacts;
  readonly dry_run: boolean;
  /** The completed or, in a dry run, planned merge; null for `keep` and `pr`. */
  readonly plan: FinishPlan | null;
  readonly pull_request: ProposedPullRequest | null;
  readonly finished: Finished | null;
  readonly workspace: WorkspaceEnd | null;
  readonly notes: readonly string[];
}

/**
 * Merges the work of a session into a branch and ends the session, or opens a pull request and leaves the session as it is. Everything is
 * computed outside checkouts first; the branch moves only from its expected commit, its checkout only when clean, and the workspace goes to
 * the trash only once the branch contains the work. `undo` reverts all of it.
 * @throws FINISH_REFUSED with `details.blocks`, INVALID_ARGUMENT, INVALID_STATE, GIT_FAILED, FORGE_FAILED, and the errors of `remove`
 */
export async function finish(ctx: Context, input: FinishInput): Promise<FinishOutcome> {
  const { id } = await findSession(ctx, input.session);
  if (input.how === "keep") return keep(ctx, { ...input, session: id });
  if (input.how === "pr") return propose(ctx, { ...input, session: id });
  if (input.dry_run ?? false) {
    const record = await findSession(ctx, id);
    const plan = await ctx.workspaces.previewFinish(await requestOf(ctx, { record, input }));
    return { session: factsOf(ctx, record), dry_run: true, plan, pull_request: null, finished: null, workspace: null, notes: [] };
  }
  return ctx.queue.run(id, async () => {
    const record = await findSession(ctx, id);
    requireRev(record, input);
    requireSettled(record, "finish");
    return finishNow(ctx, { record, input });
  });
}

interface Wanted {
  readonly record: SessionRecord;
  readonly input: FinishInput;
}

/** Ends the session and leaves its directory to the user. */
async function keep(ctx: Context, input: FinishInput): Promise<FinishOutcome> {
  const none = { plan: null, pull_request: null, finished: null, notes: [] };
  if (input.dry_run ?? false) {
    const session = factsOf(ctx, await findSession(ctx, input.session));
    return { ...none, session, dry_run: true, workspace: null };
  }
  const { session, workspace, survivors } = await remove(ctx, { ...input, keep_workspace: true });
  if (survivors.length > 0) throw survived(session.record, survivors.length);
  return { ...none, session, dry_run: false, workspace };
}

async function requestOf(
  ctx: Pick<Context, "describeDirectory" | "directories" | "workspaces">,
  { record, input }: Wanted,
): Promise<FinishRequest> {
  if (input.how === "keep" || input.how === "pr") throw new TypeError(`nothing is merged with ${input.how}`);
  if (!canTransition(record, "decommissioned"))
    throw invalidState(record, { verb: "finish", allowed: ["active", "stopped", "errored", "provisioning"] });
  const workspace = requireMergeable(record.workspace, record.name);
  await requireStanding(ctx, record);
  return {
    workspace,
    how: input.how,
    into: input.into ?? null,
    startedFrom: record.fork?.ref ?? workspace.base_ref,
    commit: input.commit ?? null,
    message: input.message ?? "Merge",
  };
}

async function finishNow(ctx: Context, { record, input }: Wanted): Promise<FinishOutcome> {
  const request = await requestOf(ctx, { record, input });
  // Before anything is stopped, so that a refusal changes nothing.
  const before = await ctx.workspaces.previewFinish(request);
  if (before.blocks.length > 0) await ctx.workspaces.composeFinish(request);
  const stopped = await endOrLetGo(ctx, record);
  await ctx.reached("finish.stopped");
  if (stopped.survivors.length > 0) throw survived(record, stopped.survivors.length);
  // The agent may have written, or committed, until it was stopped.
  if (input.commit !== undefined && (await ctx.workspaces.previewFinish(request)).uncommitted.length > 0) {
    await ctx.workspaces.commitWork(request.workspace, input.commit);
    await ctx.reached("finish.committed");
  }
  const message = input.message ?? ((seen: FinishPlan) => finishMessage(record, seen));
  const { plan, move } = await ctx.workspaces.composeFinish({ ...request, message });
  const moved: Finished = { ...move, how: plan.how, at: timestampFromMs(ctx.clock.now()), source: plan.source.commit };
  // A finish repeated after a failure keeps the target's original commit.
  const finished = plan.result === "already" && record.finished?.ref === move.ref ? { ...record.finished, removed_later: false } : moved;
  const concluded = await moveAndConclude(ctx, { record, finished, already: plan.result === "already" });
  return {
    session: factsOf(ctx, concluded.record),
    dry_run: false,
    plan,
    pull_request: null,
    finished,
    workspace: concluded.workspace,
    notes: concluded.kept === null ? [] : [`its work is in ${plan.into}, but its workspace is kept: ${concluded.kept}`],
  };
}

interface Moving {
  readonly record: SessionRecord;
  readonly finished: Finished;
  /** The target already has the work, so it stays in place. */
  readonly already: boolean;
}

async function moveAndConclude(ctx: Context, { record, finished, already }: Moving): Promise<FinishedSession> {
  const { id } = record;
  await ctx.workspaces.keepCommits({ repository: finished.repository, sessionId: id, commit: finished.source });
  const intended = await recordIntent(ctx, { id, op: "finish", step: "move", finish: finished });
  await ctx.reached("finish.intended");
  try {
    if (!already) await ctx.workspaces.moveTarget({ ...finished, why: reflogMessage(record) });
  } catch (error) {
    // A partial failure keeps its intent, for reconcile.
    if (movedNothing(error)) await nothingFinished(ctx, intended);
    else ctx.requests.sweep.notify();
    throw error;
  }
  await ctx.reached("finish.moved");
  const concluded = await concludeFinish(ctx, { record, finished });
  if (!already) await ctx.workspaces.afterMerge(finished);
  return concluded;
}

function survived({ id, name }: SessionRecord, count: number): TmpmError {
  return new TmpmError(
    "SURVIVORS",
    `${count} ${count === 1 ? "process" : "processes"} of session ${name} did not end, so nothing was moved`,
    {
      hint: `\`tmpm stop ${name}\` tries again and names them.`,
      details: { id },
    },
  );
}
