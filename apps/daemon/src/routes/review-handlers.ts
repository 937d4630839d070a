import type { CommentsAnswer, DiffAnswer, FinishAnswer, GroupAnswer, PullRequestAnswer } from "@tmpm/api";
import type { FinishOutcome, Group, SessionComments, SessionDiff, SessionPullRequest, Supervisor } from "@tmpm/supervisor";
import { sessionAnswer } from "../answers/answer.js";
import { clientOf } from "../guard/caller.js";
import type { Handlers } from "./handlers.js";

type Reviewing =
  | "diff"
  | "comment"
  | "comments"
  | "dropComment"
  | "finish"
  | "pullRequest"
  | "watchPullRequest"
  | "setUpAgain"
  | "fan"
  | "group"
  | "checkGroup"
  | "pick";

/** Review routes: a session's changes, finishing it, and its group. */
export function reviewHandlers(supervisor: Supervisor): Pick<Handlers, Reviewing> {
  return {
    diff: async ({ path, ...input }) => diffAnswer(await supervisor.diff({ ...input, paths: path })),
    comment: async (input) => commentsAnswer(await supervisor.comment(input)),
    comments: async (input) => commentsAnswer(await supervisor.comments(input)),
    dropComment: async (input) => commentsAnswer(await supervisor.dropComment(input)),
    finish: async (input) => finishAnswer(await supervisor.finish(input)),
    pullRequest: async (input) => watchAnswer(await supervisor.pullRequest(input)),
    watchPullRequest: async (input) => watchAnswer(await supervisor.watchPullRequest(input)),
    setUpAgain: async (input) => sessionAnswer(await supervisor.setUpAgain(input)),
    async fan(input) {
      const { group, sessions, failed, notes } = await supervisor.fan(input);
      return {
        group,
        sessions: sessions.map(({ session, receipt, turn_id, notes: sessionNotes }) => ({
          ...sessionAnswer(session),
          receipt,
          turn_id,
          notes: [...sessionNotes],
        })),
        failed: failed.map(({ agent, model = null, error }) => ({ agent, model, error: { ...error, details: { ...error.details } } })),
        notes: [...notes],
      };
    },
    group: async (input) => groupAnswer(await supervisor.group(input)),
    checkGroup: async (input, { admitted }) => groupAnswer(await supervisor.checkGroup({ ...input, client: clientOf(admitted.caller) })),
    async pick(input, { admitted }) {
      const { rest, ...outcome } = await supervisor.pick({ ...input, client: clientOf(admitted.caller) });
      return { ...finishAnswer(outcome), rest: rest.map((each) => ({ ...each })) };
    },
  };
}

function diffAnswer({ record, turn, files, notes, ...seen }: SessionDiff): DiffAnswer {
  return { session_id: record.id, session: record.name, turn: turn?.id ?? null, ...seen, files: [...files], notes: [...notes] };
}

function commentsAnswer({ record, comments }: SessionComments): CommentsAnswer {
  return { session_id: record.id, session: record.name, comments: [...comments] };
}

function groupAnswer({ group, check, members, notes }: Group): GroupAnswer {
  return {
    group,
    check,
    members: members.map(({ session, checked, ...member }) => ({
      ...member,
      session: sessionAnswer(session),
      checked: checked === null ? null : { ...checked, last_lines: [...checked.last_lines] },
    })),
    notes: [...notes],
  };
}

function finishAnswer({ session, dry_run, plan, pull_request, finished, workspace, notes }: FinishOutcome): FinishAnswer {
  return {
    ...sessionAnswer(session),
    dry_run,
    plan: plan === null ? null : planAnswer(plan),
    pull_request: pull_request === null ? null : pullRequestAnswer(pull_request),
    result: finished,
    workspace_end: workspace,
    notes: [...notes],
  };
}

function planAnswer(plan: NonNullable<FinishOutcome["plan"]>): NonNullable<FinishAnswer["plan"]> {
  const { commits, uncommitted, conflicts, blocks } = plan;
  return {
    ...plan,
    commits: [...commits],
    uncommitted: [...uncommitted],
    conflicts: [...conflicts],
    blocks: blocks.map((block) => ({ ...block, items: [...block.items] })),
  };
}

function pullRequestAnswer({ plan, ...proposed }: NonNullable<FinishOutcome["pull_request"]>): NonNullable<FinishAnswer["pull_request"]> {
  const { address, commits, uncommitted, blocks, ...rest } = plan;
  return {
    ...rest,
    ...proposed,
    repository: address === null ? null : `${address.host}/${address.owner}/${address.repository}`,
    commits: [...commits],
    uncommitted: [...uncommitted],
    blocks: blocks.map((block) => ({ ...block, items: [...block.items] })),
  };
}

function watchAnswer({ record, watch }: SessionPullRequest): PullRequestAnswer {
  const { at, pages: _pages, unconfirmed: _unconfirmed, reported, undelivered, submitting: _submitting, ...known } = watch;
  return {
    ...known,
    session_id: record.id,
    session: record.name,
    repository: `${at.host}/${at.owner}/${at.repository}`,
    reported: Object.keys(reported).length,
    undelivered: undelivered.length,
  };
}
