import type { CommentsAnswer, DiffAnswer, FinishAnswer } from "@tmpm/api";
import type { FinishOutcome, SessionComments, SessionDiff, Supervisor } from "@tmpm/supervisor";
import { sessionAnswer } from "./answer.js";
import type { Handlers } from "./handlers.js";

/** What a session changed, and what becomes of it. */
export function reviewHandlers(supervisor: Supervisor): Pick<Handlers, "diff" | "comment" | "comments" | "dropComment" | "finish"> {
  return {
    diff: async ({ path, ...input }) => diffAnswer(await supervisor.diff({ ...input, paths: path })),
    comment: async (input) => commentsAnswer(await supervisor.comment(input)),
    comments: async (input) => commentsAnswer(await supervisor.comments(input)),
    dropComment: async (input) => commentsAnswer(await supervisor.dropComment(input)),
    finish: async (input) => finishAnswer(await supervisor.finish(input)),
  };
}

function diffAnswer({ record, turn, files, notes, ...seen }: SessionDiff): DiffAnswer {
  return { session_id: record.id, session: record.name, turn: turn?.id ?? null, ...seen, files: [...files], notes: [...notes] };
}

function commentsAnswer({ record, comments }: SessionComments): CommentsAnswer {
  return { session_id: record.id, session: record.name, comments: [...comments] };
}

function finishAnswer({ session, dry_run, plan, finished, workspace, notes }: FinishOutcome): FinishAnswer {
  return {
    ...sessionAnswer(session),
    dry_run,
    plan: plan === null ? null : planAnswer(plan),
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
