import { join } from "node:path";
import { exists } from "../files/exists.js";
import { plural } from "../plural.js";
import { type Reason, reason } from "../refusal.js";
import { headCommit } from "./commit-of.js";
import type { GitOptions } from "./git.js";
import { hiddenChanges } from "./hidden-changes.js";
import { withoutRepositoryFilters } from "./repository-filters.js";
import { requireGit } from "./require-git.js";
import { readStatus } from "./status-entries.js";

export interface WorkQuestion {
  readonly workTree: string;
  readonly gitDir: string;
  /** A worktree's branches and stashes stay in its repository; those of a clone go with it. */
  readonly kind: "worktree" | "clone";
  /** Commits that are safe elsewhere though no remote branch contains them. */
  readonly known: readonly string[];
  readonly git: Pick<GitOptions, "env" | "timeoutMs">;
}

export interface WorkFound {
  readonly reasons: readonly Reason[];
  /** Ignored files and folders: they go to the trash and are restored with the rest. */
  readonly ignored: number;
}

/** Settings by which a repository could hide changes from `git status`. */
const HONEST = {
  "core.untrackedCache": "false",
  "core.checkStat": "default",
  "core.trustctime": "true",
  "core.ignoreStat": "false",
};

/** Unsaved work in a work tree and its repository. @throws GIT_FAILED when it cannot be determined */
export async function workIn(question: WorkQuestion): Promise<WorkFound> {
  const options: GitOptions = { directory: question.workTree, ...question.git };
  const config = { ...HONEST, ...(await withoutRepositoryFilters(options)) };
  const args = ["status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignored", "--ignore-submodules=dirty", "--no-renames"];
  const status = readStatus(await requireGit(args, { ...options, config }));
  const found = await Promise.all([
    hiddenChanges(question.workTree, options),
    inProgress(question.gitDir),
    question.kind === "clone" ? cloneWork(question, options) : worktreeWork(options),
  ]);
  return { reasons: [...status.reasons, ...found.flat()], ignored: status.ignored };
}

/** Only the work tree's own: a detached HEAD and per-worktree refs. */
async function worktreeWork(options: GitOptions): Promise<readonly Reason[]> {
  const head = await headCommit(options);
  const args = [
    "rev-list",
    "--count",
    ...(head === null ? [] : [head]),
    "--glob=refs/worktree",
    "--not",
    "--branches",
    "--tags",
    "--remotes",
  ];
  const commits = Number(await requireGit(args, options));
  if (commits === 0) return [];
  return [reason("detached", { kind: "work", message: `${plural(commits, "commit")} on no branch` })];
}

async function cloneWork({ known }: WorkQuestion, options: GitOptions): Promise<readonly Reason[]> {
  const head = await headCommit(options);
  const revisions = [...(head === null ? [] : [head]), "--exclude=refs/stash", "--all", ...known.map((commit) => `^${commit}`)];
  const commits = Number(await requireGit(["rev-list", "--count", ...revisions, "--not", "--remotes"], options));
  const stashes =
    (await requireGit(["for-each-ref", "--format=%(objectname)", "refs/stash"], options)) === "" ? 0 : await countStashes(options);
  return [
    ...(commits === 0 ? [] : [reason("unpushed", { kind: "work", message: `${plural(commits, "commit")} not pushed` })]),
    ...(stashes === 0 ? [] : [reason("stash", { kind: "work", message: plural(stashes, "stash", "stashes") })]),
  ];
}

/** Without a reflog only the newest is reported. */
async function countStashes(options: GitOptions): Promise<number> {
  return Math.max(1, Number(await requireGit(["rev-list", "--count", "--walk-reflogs", "refs/stash"], options)));
}

const OPERATIONS: Readonly<Record<string, string>> = {
  "rebase-merge": "a rebase",
  "rebase-apply": "a rebase or `git am`",
  MERGE_HEAD: "a merge",
  CHERRY_PICK_HEAD: "a cherry-pick",
  REVERT_HEAD: "a revert",
  BISECT_LOG: "a bisect",
  sequencer: "a series of picks",
};

export async function inProgress(gitDir: string): Promise<readonly Reason[]> {
  const names = Object.keys(OPERATIONS);
  const there = await Promise.all(names.map((name) => exists(join(gitDir, name))));
  const open = names.filter((_, index) => there[index]).map((name) => OPERATIONS[name] ?? name);
  return open.length === 0 ? [] : [reason("in_progress", { kind: "work", message: `${open.join(" and ")} in progress`, items: open })];
}
