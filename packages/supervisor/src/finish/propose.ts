import { type SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import type { PullRequestPlan } from "@tmpm/workspace";
import type { Context } from "../context.js";
import { factsOf } from "../facts.js";
import { findSession } from "../find-session.js";
import { requireStanding } from "../launch/require-standing.js";
import type { FinishInput, FinishOutcome } from "../operations/finish.js";
import { requireRev } from "../require-rev.js";
import { requireSettled } from "../require-settled.js";
import { pullRequestText } from "./finish-message.js";
import { requireMergeable } from "./require-mergeable.js";

/** An opened or planned pull request. */
export interface ProposedPullRequest {
  readonly plan: PullRequestPlan;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
  /** Null in a dry run. */
  readonly number: number | null;
  readonly url: string | null;
  /** It was already open, and has the new commits now. */
  readonly existed: boolean;
}

/**
 * Pushes the session's branch and opens a pull request for it. The session continues, for later reviews. Each step is idempotent: existing
 * commits are not pushed again, and no second pull request is opened. @throws FINISH_REFUSED, GIT_FAILED, FORGE_FAILED, INVALID_ARGUMENT
 */
export async function propose(ctx: Context, input: FinishInput): Promise<FinishOutcome> {
  if (input.dry_run ?? false) {
    const record = await findSession(ctx, input.session);
    return outcome(ctx, { record, dryRun: true, proposed: await proposal(ctx, { record, input }) });
  }
  return ctx.queue.run(input.session, async () => {
    const record = await findSession(ctx, input.session);
    requireRev(record, input);
    requireSettled(record, "finish");
    return proposeNow(ctx, { record, input });
  });
}

interface Wanted {
  readonly record: SessionRecord;
  readonly input: FinishInput;
}

async function proposal(ctx: Context, { record, input }: Wanted): Promise<ProposedPullRequest> {
  const workspace = requireMergeable(record.workspace, record.name);
  await requireStanding(ctx, record);
  const plan = await ctx.workspaces.planPullRequest({
    workspace,
    into: input.into ?? null,
    startedFrom: record.fork?.ref ?? workspace.base_ref,
    commit: input.commit ?? null,
  });
  const { title, body } = pullRequestText(record, {
    commits: plan.commits,
    message: input.message ?? null,
    lastWords: await lastWordsOf(ctx, record),
  });
  return { plan, title, body, draft: input.draft ?? false, number: null, url: null, existed: false };
}

async function proposeNow(ctx: Context, { record, input }: Wanted): Promise<FinishOutcome> {
  const { forge } = ctx;
  const before = await proposal(ctx, { record, input });
  requireUnblocked(before.plan);
  if (forge === undefined)
    throw new TmpmError("PREREQUISITE_MISSING", "pull requests are not available here", { details: { program: "gh" } });
  if (input.commit !== undefined && before.plan.uncommitted.length > 0) {
    await ctx.workspaces.commitWork(requireMergeable(record.workspace, record.name), input.commit);
    await ctx.reached("pull_request.committed");
  }
  const { plan, title, body, draft } = await proposal(ctx, { record, input: { ...input, commit: undefined } });
  const { address, branch, base } = plan;
  requireUnblocked(plan);
  if (address === null) throw new TypeError("a plan without an address is blocked");
  await ctx.workspaces.pushBranch({ directory: record.workspace?.path ?? record.cwd, plan });
  await ctx.reached("pull_request.pushed");
  const opened = await forge.open({ at: address, branch, base, title, body, draft });
  await ctx.reached("pull_request.opened");
  const at = timestampFromMs(ctx.clock.now());
  const noted = await ctx.store.update(record.id, (current) => ({
    ...current,
    claimed_pr_number: opened.number,
    claimed_pr_url: opened.url,
    updated_at: at,
  }));
  ctx.emit({ type: "pull_request_opened", at, session_id: record.id, ...opened, branch, base, commit: plan.commit });
  return outcome(ctx, { record: noted, dryRun: false, proposed: { plan, title, body, draft, ...opened } });
}

function requireUnblocked({ blocks, base }: PullRequestPlan): void {
  if (blocks.length === 0) return;
  throw new TmpmError("FINISH_REFUSED", `nothing was pushed: ${blocks.map(({ message }) => message).join("; ")}`, {
    hint: blocks[0]?.hint ?? "Try again.",
    details: { base, blocks: blocks.map((block) => ({ ...block, items: [...block.items] })) },
  });
}

async function lastWordsOf(ctx: Pick<Context, "turns">, { id }: SessionRecord): Promise<string | null> {
  const [newest] = await ctx.turns.list(id, { limit: 1 });
  return newest?.final_message ?? null;
}

function outcome(
  ctx: Context,
  of: { readonly record: SessionRecord; readonly dryRun: boolean; readonly proposed: ProposedPullRequest },
): FinishOutcome {
  const session = factsOf(ctx, of.record);
  return { session, dry_run: of.dryRun, plan: null, pull_request: of.proposed, finished: null, workspace: null, notes: [] };
}
