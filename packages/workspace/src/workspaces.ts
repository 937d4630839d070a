import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { keyedQueue, type Workspace } from "@tmpm/core";
import { fetchBase } from "./clone/fetch-base.js";
import type { WorkspaceContext } from "./context.js";
import { mountPoints } from "./files/mount-points.js";
import { processPlaces } from "./files/process-places.js";
import { commitWork } from "./finish/commit-work.js";
import type { FinishPlan, FinishRequest, TargetMove } from "./finish/finish-plan.js";
import { composeFinish, previewFinish } from "./finish/finish-workspace.js";
import { afterMerge, dropKeptCommits, keepCommits, moveTarget, type TargetState, targetState } from "./finish/move-target.js";
import { type PullRequestPlan, type PullRequestRequest, planPullRequest } from "./pull-request/plan-pull-request.js";
import { pushBranch } from "./pull-request/push-branch.js";
import { type DiffRequest, diffWorkspace, type WorkspaceDiff } from "./review/diff-workspace.js";
import { type FileSide, readSide, type SideRequest } from "./review/read-side.js";
import { turnSnapshots } from "./review/turn-snapshots.js";
import { type KeptTree, type TurnKey, turnLedger } from "./review/turn-trees.js";
import { type CheckOptions, type CheckRun, runCheck } from "./run-check.js";
import { type SetupFound, setupIn } from "./setup/project-file.js";
import { type SetUp, type SetUpOptions, setUpWorkspace, setupOf, tearDownWorkspace } from "./setup/set-up-workspace.js";
import { includeFiles } from "./setup/worktree-include.js";
import { type Inspection, type InspectOptions, inspectWorkspace } from "./worktree/inspect-workspace.js";
import { type MakeOptions, makeWorkspace } from "./worktree/make-workspace.js";
import { trashIds } from "./worktree/manifest.js";
import { planWorkspace, type WorkspaceRequest } from "./worktree/plan-workspace.js";
import { type Purged, purgeTrash } from "./worktree/purge-trash.js";
import { recreateWorkspace } from "./worktree/recreate-workspace.js";
import { type RelinkOptions, relinkWorkspace } from "./worktree/relink-workspace.js";
import { finishRemoval, type Removal, type RemoveOptions, removeWorkspace } from "./worktree/remove-workspace.js";
import { type Restored, type RestoreOptions, requireRestorable, restoreWorkspace } from "./worktree/restore-workspace.js";
import { standingOf, type WorktreeState } from "./worktree/standing.js";
import { type TakeBackOptions, takeBackWorkspace } from "./worktree/take-back-workspace.js";

/** Directories that we make for sessions, own, and remove without losing work. Every method can be repeated after a crash. */
export interface Workspaces {
  plan(request: WorkspaceRequest): Promise<Workspace>;
  /** Fetches the remote branches that a worktree may start from, before it is planned. */
  fetch(request: WorkspaceRequest): Promise<void>;
  make(plan: Workspace, options: MakeOptions): Promise<Workspace>;
  /** Whether a session can work in it. */
  standing(workspace: Workspace): Promise<WorktreeState>;
  /** Recreates one whose directory is gone. */
  recreate(workspace: Workspace, options: MakeOptions): Promise<Workspace>;
  /** Reconnects one to its repository, which was moved. */
  relink(workspace: Workspace, options: RelinkOptions): Promise<Workspace>;
  /** Reads the project file of a directory, or that of a workspace or its source. Neither runs anything. */
  setupIn(directory: string): Promise<SetupFound>;
  setupOf(workspace: Workspace): Promise<SetupFound>;
  /** Runs a setup; the caller is responsible for consent. */
  setUp(workspace: Workspace, options: SetUpOptions): Promise<SetUp>;
  /** Runs a setup's clean-up before the trash; null on success. */
  tearDown(workspace: Workspace, options: SetUpOptions): Promise<Extract<SetUp, { kind: "failed" }> | null>;
  /** Copies the files of `.worktreeinclude`; returns notes for the user. */
  include(workspace: Workspace): Promise<readonly string[]>;
  /** Runs a command in a workspace that checks its work. */
  check(workspace: Workspace, options: CheckOptions): Promise<CheckRun>;
  /** The changes of a work tree from its base. Read-only. */
  diff(request: DiffRequest): Promise<WorkspaceDiff>;
  /** Snapshots a work tree as a tree in its repository, and stores it for the start or end of a turn. */
  snapshot(directory: string): Promise<string>;
  keepTurnTree(kept: KeptTree): Promise<void>;
  dropTurnTrees(of: Omit<TurnKey, "generation">): Promise<void>;
  /** The lines of a file in a work tree, current or at the fork point. */
  readSide(request: SideRequest): Promise<FileSide | null>;
  /** What merging a workspace would do. Read-only. */
  previewFinish(request: FinishRequest): Promise<FinishPlan>;
  /** What a pull request would propose. Changes nothing, and sends no request. */
  planPullRequest(request: PullRequestRequest): Promise<PullRequestPlan>;
  pushBranch(of: { readonly directory: string; readonly plan: Pick<PullRequestPlan, "remote" | "branch" | "commit"> }): Promise<void>;
  commitWork(workspace: Workspace, message: string): Promise<void>;
  /** Creates the target's new commit, without moving a ref. */
  composeFinish(
    request: Omit<FinishRequest, "message"> & { readonly message: string | ((plan: FinishPlan) => string) },
  ): Promise<{ readonly plan: FinishPlan; readonly move: TargetMove }>;
  moveTarget(move: TargetMove & { readonly why: string }): Promise<void>;
  targetState(move: TargetMove): Promise<TargetState>;
  afterMerge(move: TargetMove): Promise<void>;
  /** Keeps the commits of a finished session while it can be undone. */
  keepCommits(kept: { readonly repository: string; readonly sessionId: string; readonly commit: string }): Promise<void>;
  dropCommits(kept: { readonly repository: string; readonly sessionId: string }): Promise<void>;
  takeBack(workspace: Workspace, options: TakeBackOptions): Promise<void>;
  inspect(workspace: Workspace, options: InspectOptions): Promise<Inspection>;
  remove(workspace: Workspace, options: RemoveOptions): Promise<Removal>;
  /** The result of a removal interrupted by a crash; null when the workspace is still in place. */
  finishRemoval(trashId: string): Promise<Removal | null>;
  restore(workspace: Workspace, options: RestoreOptions): Promise<Restored>;
  /** Fails as `restore` would, and changes nothing. */
  requireRestorable(workspace: Workspace, options: RestoreOptions): Promise<void>;
  /** Deletes expired entries of the trash. */
  purge(): Promise<Purged>;
  /** The ids of all entries of the trash. */
  inTrash(): Promise<readonly string[]>;
}

export interface WorkspacesOptions extends Partial<Omit<WorkspaceContext, "home">> {
  /** tmpm's data folder: workspaces go below `workspaces`, removed ones below `trash`. */
  readonly home: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Does nothing until used. */
export function workspaces({ home, ...options }: WorkspacesOptions): Workspaces {
  const ctx: WorkspaceContext = {
    userHome: homedir(),
    env: process.env,
    now: Date.now,
    newNonce: randomUUID,
    keepMs: 7 * DAY_MS,
    cloneMs: 120_000,
    checkoutMs: 120_000,
    inspectMs: 30_000,
    lookMs: 10_000,
    setupMs: 30 * 60_000,
    processPlaces,
    mountPoints,
    reached: () => undefined,
    ...options,
    home,
  };
  // The trash is emptied while sessions are removed and restored.
  const inTrash = keyedQueue();
  const snapshots = turnSnapshots(ctx);
  const ledger = turnLedger(ctx);
  return {
    plan: (request) => planWorkspace(ctx, request),
    fetch: (request) => fetchBase(ctx, request),
    make: (plan, make) => makeWorkspace(ctx, plan, make),
    standing: standingOf,
    recreate: (workspace, make) => recreateWorkspace(ctx, workspace, make),
    relink: (workspace, relink) => relinkWorkspace(ctx, workspace, relink),
    setupIn,
    setupOf,
    setUp: (workspace, setUp) => setUpWorkspace(ctx, workspace, setUp),
    tearDown: (workspace, tearDown) => tearDownWorkspace(ctx, workspace, tearDown),
    include: (workspace) => includeFiles(ctx, workspace),
    check: runCheck,
    diff: (request) => diffWorkspace(ctx, request),
    snapshot: (directory) => snapshots.take(directory),
    async keepTurnTree(kept) {
      try {
        await ledger.keep(kept);
      } catch (error) {
        snapshots.forget();
        throw error;
      }
    },
    async dropTurnTrees(of) {
      snapshots.forget();
      await ledger.drop(of);
    },
    readSide: (request) => readSide(ctx, request),
    previewFinish: (request) => previewFinish(ctx, request),
    planPullRequest: (request) => planPullRequest(ctx, request),
    pushBranch: (of) => pushBranch(ctx, of),
    commitWork: ({ path }, message) => commitWork(ctx, { path, message }),
    composeFinish: (request) => composeFinish(ctx, request),
    moveTarget: (move) => moveTarget(ctx, move),
    targetState: (move) => targetState(ctx, move),
    afterMerge: (move) => afterMerge(ctx, move),
    keepCommits: (kept) => keepCommits(ctx, kept),
    dropCommits: (kept) => dropKeptCommits(ctx, kept),
    takeBack: (workspace, takeBack) => takeBackWorkspace(ctx, workspace, takeBack),
    inspect: (workspace, inspect) => inspectWorkspace(ctx, workspace, inspect),
    remove: (workspace, remove) => inTrash.run(remove.trashId, () => removeWorkspace(ctx, workspace, remove)),
    finishRemoval: (trashId) => inTrash.run(trashId, () => finishRemoval(ctx, trashId)),
    restore: (workspace, restore) => inTrash.run(restore.trashId, () => restoreWorkspace(ctx, workspace, restore)),
    requireRestorable: (workspace, restore) => requireRestorable(ctx, workspace, restore),
    purge: () => purgeTrash(ctx, inTrash),
    inTrash: () => trashIds(ctx),
  };
}
