import type { Context } from "./context.js";
import { authorise } from "./grants/authorise.js";
import { stopLeftBehind } from "./grants/cascade.js";
import { silentAgents } from "./hooks/silent-agents.js";
import { housekeep } from "./housekeeping/housekeeping.js";
import { adopt } from "./operations/adopt.js";
import { agent, agents } from "./operations/agents.js";
import { answer } from "./operations/answer.js";
import { archive } from "./operations/archive.js";
import { cancel } from "./operations/cancel.js";
import { comment, comments, dropComment } from "./operations/comments.js";
import { counts } from "./operations/counts.js";
import { create } from "./operations/create.js";
import { deleteSession } from "./operations/delete.js";
import { diff } from "./operations/diff.js";
import { directories } from "./operations/directories.js";
import { discover } from "./operations/discover.js";
import { fan } from "./operations/fan.js";
import { finish } from "./operations/finish.js";
import { checkGroup, group } from "./operations/groups.js";
import { authoriseReport, hook } from "./operations/hook.js";
import { inbox } from "./operations/inbox.js";
import { interrupt } from "./operations/interrupt.js";
import { markErrored } from "./operations/mark-errored.js";
import { next } from "./operations/next.js";
import { override } from "./operations/override.js";
import { pause } from "./operations/pause.js";
import { pick } from "./operations/pick.js";
import { addProject, projects, removeProject, setProject } from "./operations/projects.js";
import { pullRequest, watchPullRequest } from "./operations/pull-request.js";
import { answerQuestion, ask, question, withdrawQuestion } from "./operations/questions.js";
import { clearQueue, moveTurn, queue } from "./operations/queue.js";
import { reactivate } from "./operations/reactivate.js";
import { attach, capture, list, show } from "./operations/read.js";
import { cancelSend, receipt, sends } from "./operations/receipts.js";
import { reconcile } from "./operations/reconcile.js";
import { remove } from "./operations/remove.js";
import { rename } from "./operations/rename.js";
import { report } from "./operations/report.js";
import { requireOwned } from "./operations/require-owned.js";
import { restart } from "./operations/restart.js";
import { resume } from "./operations/resume.js";
import { scope } from "./operations/scope.js";
import { keys, send } from "./operations/send.js";
import { set } from "./operations/set.js";
import { setUpAgain } from "./operations/set-up-again.js";
import { stop } from "./operations/stop.js";
import { submit } from "./operations/submit.js";
import { tally } from "./operations/tally.js";
import { terminal } from "./operations/terminal.js";
import { trust } from "./operations/trust.js";
import { turn, turns } from "./operations/turns.js";
import { undo } from "./operations/undo.js";
import { discardUpload, oneUpload, upload, uploads } from "./operations/uploads.js";
import { usage } from "./operations/usage.js";
import { wait, waitMany } from "./operations/wait.js";
import { why } from "./operations/why.js";
import { projectIdOf } from "./projects/registry.js";
import { watchPullRequests } from "./pull-request/watch-pull-requests.js";

/** An operation that is loaded when it is first called: the schemas of other programs' files would take a twentieth of the daemon's start. */
function late<I extends unknown[], O>(load: () => Promise<(ctx: Context, ...input: I) => Promise<O>>) {
  return async (ctx: Context, ...input: I): Promise<O> => (await load())(ctx, ...input);
}

/** The use cases: the name that clients of the supervisor call, and the operation. */
export const OPERATIONS = {
  create,
  agents,
  agent,
  projects,
  addProject,
  setProject,
  removeProject,
  /** A project's id, from its id or its path. */
  projectId: projectIdOf,
  trust,
  scope,
  requireOwned,
  list,
  show,
  capture,
  diff,
  ask,
  question,
  withdrawQuestion,
  answerQuestion,
  report,
  inbox,
  comment,
  comments,
  dropComment,
  attach,
  send,
  sends,
  receipt,
  cancelSend,
  submit,
  turns,
  turn,
  cancel,
  queue,
  moveTurn,
  clearQueue,
  keys,
  terminal,
  wait,
  why,
  next,
  answer,
  hook,
  authoriseReport,
  /** The sessions whose agents should have reported during a whole visible turn and did not. */
  silentAgents,
  /** Whether a session may do this with its own token. */
  authorise,
  /** Stops the sessions whose parents have ended, if their grants say so. */
  stopLeftBehind,
  waitMany,
  stop,
  resume,
  restart,
  pause,
  interrupt,
  rename,
  set,
  override,
  upload,
  uploads,
  oneUpload,
  discardUpload,
  counts,
  directories,
  usage,
  markErrored,
  archive,
  reactivate,
  delete: deleteSession,
  /** One round of unattended work: reaps ephemeral sessions, archives and deletes finished ones after their time. */
  housekeep,
  remove,
  finish,
  pullRequest,
  watchPullRequest,
  /** One round of queries for watched pull requests that are due. */
  watchPullRequests,
  setUpAgain,
  fan,
  group,
  checkGroup,
  pick,
  undo,
  import: late(async () => (await import("./operations/import.js")).importSessions),
  export: late(async () => (await import("./operations/export.js")).exportSessions),
  adopt,
  discover,
  reconcile,
  /** Counts of all sessions' activities. */
  tally,
} as const;

type Bound<F> = F extends (ctx: Context, ...input: infer I) => infer O ? (...input: I) => O : never;

export type Operations = { readonly [N in keyof typeof OPERATIONS]: Bound<(typeof OPERATIONS)[N]> };

/** The operations, each with its first parameter bound. */
export function boundOperations(ctx: Context): Operations {
  const bind = (operation: (ctx: Context, ...input: never[]) => unknown) => operation.bind(null, ctx);
  const bound = Object.entries(OPERATIONS).map(([name, operation]) => [name, bind(operation)]);
  // Each entry was taken from the map under its own name.
  return Object.fromEntries(bound) as Operations;
}
