import { TmpmError, uniqueName, visibleText, type Workspace } from "@tmpm/core";
import { type BranchNames, conflictOf, folded, parseBranch } from "./branch-name.js";
import type { GitOptions } from "./git.js";
import type { Head } from "./head.js";
import { remotesOf } from "./remotes-of.js";
import { requireGit } from "./require-git.js";
import { type Revision, requireRevision, revisionOf, shortRef } from "./revision.js";

export interface BranchWish {
  /** A branch to use or to create; any other revision is the start of a branch of ours. Null for a branch of ours. */
  readonly branch: string | null;
  /** The start of a new branch, any revision; null for the directory's HEAD. */
  readonly base: string | null;
  /** The session's, a slug. */
  readonly name: string;
}

export type ChosenBranch = Pick<Workspace, "branch" | "branch_made" | "base" | "base_ref" | "notes">;

/** Chooses the branch of a workspace like `git worktree add`, without creating it. @throws INVALID_ARGUMENT, GIT_FAILED */
export async function chooseBranch(options: GitOptions, wish: BranchWish & { readonly head: Head }): Promise<ChosenBranch> {
  const branches = await branchNames(options);
  const choosing: Choosing = { options, branches, wish, start: await startOf(options, wish) };
  return wish.branch === null ? ownBranch(choosing, choosing.start) : namedBranch(choosing, await parseBranch(wish.branch, options));
}

interface Branches extends BranchNames {
  /** The full ref. */
  readonly remoteRefs: readonly string[];
}

interface Choosing {
  readonly options: GitOptions;
  readonly branches: Branches;
  readonly wish: BranchWish;
  /** The default start of a new branch; null before the first commit. */
  readonly start: Revision | null;
}

async function startOf(options: GitOptions, { base, head }: BranchWish & { readonly head: Head }): Promise<Revision | null> {
  if (base !== null) return requireRevision(base, options);
  if (head.commit === null) return null;
  return { commit: head.commit, ref: head.branch === null ? null : `refs/heads/${head.branch}` };
}

async function namedBranch(choosing: Choosing, name: string): Promise<ChosenBranch> {
  const { options, branches, wish, start } = choosing;
  if (branches.names.includes(name)) return existing(choosing, name);
  const remote = await remoteBranch(options, name);
  if (wish.base === null && remote !== null) return made(name, { start: remote, notes: [] });
  const other = remote === null ? await revisionOf(name, options) : null;
  if (other !== null) {
    if (wish.base === null) return ownBranch(choosing, other);
    throw wrong(`${name} is ${described(other)} already, so a branch of that name would be ambiguous`, "Give the new branch another name.");
  }
  await requireNoRef(options, name);
  requireNoConflict(name, branches);
  return made(name, { start, notes: [] });
}

async function existing({ options, wish }: Choosing, name: string): Promise<ChosenBranch> {
  if (wish.base !== null) {
    throw wrong(
      `branch ${name} already exists, so it cannot start from ${JSON.stringify(wish.base)}`,
      "Leave out --base, or name a new branch.",
    );
  }
  const ref = `refs/heads/${name}`;
  const { commit } = await requireRevision(ref, options);
  return { branch: name, branch_made: false, base: commit, base_ref: ref, notes: [] };
}

function made(name: string, { start, notes }: { readonly start: Revision | null; readonly notes: readonly string[] }): ChosenBranch {
  return { branch: name, branch_made: true, base: start?.commit ?? null, base_ref: start?.ref ?? null, notes: [...notes] };
}

/** A branch `tmpm/<name>`, or the next free one; `tmpm-<name>` if a branch `tmpm` prevents it. */
async function ownBranch({ options, branches, wish }: Choosing, start: Revision | null): Promise<ChosenBranch> {
  const { ignoreCase } = branches;
  const prefix = branches.names.some((branch) => folded(branch, ignoreCase) === "tmpm") ? "tmpm-" : "tmpm/";
  const there = [...branches.names, ...(await remoteBranchNames(options, branches))].map((branch) => folded(branch, ignoreCase));
  const taken = there.flatMap((branch) => (branch.startsWith(prefix) ? [branch.slice(prefix.length).split("/", 1)[0] ?? ""] : []));
  const branch = `${prefix}${uniqueName(wish.name, new Set(taken))}`;
  const asked = wish.branch;
  const note = asked !== null && start !== null ? [`${asked} is ${described(start)}, so the new branch ${branch} starts there`] : [];
  return made(branch, { start, notes: note });
}

function described({ ref, commit }: Revision): string {
  if (ref?.startsWith("refs/heads/")) return `the branch ${shortRef(ref)}`;
  if (ref?.startsWith("refs/remotes/")) return `the remote branch ${shortRef(ref)}`;
  if (ref?.startsWith("refs/tags/")) return `the tag ${shortRef(ref)}`;
  return ref === null ? `the commit ${commit.slice(0, 12)}` : `the ref ${ref}`;
}

async function branchNames(options: GitOptions): Promise<Branches> {
  const refs = linesOf(await requireGit(["for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes"], options));
  const ignoreCase = await requireGit(["config", "--type=bool", "--get", "core.ignorecase"], { ...options, accept: [0, 1] });
  return {
    names: refs.flatMap((ref) => (ref.startsWith("refs/heads/") ? [ref.slice("refs/heads/".length)] : [])),
    remoteRefs: refs.filter((ref) => ref.startsWith("refs/remotes/")),
    ignoreCase: ignoreCase.trim() === "true",
  };
}

/** The branches of every remote, without the remote's name. */
async function remoteBranchNames(options: GitOptions, { remoteRefs }: Branches): Promise<readonly string[]> {
  const remotes = await remotesOf(options);
  return remoteRefs.flatMap((ref) => {
    const remote = remotes.find((name) => ref.startsWith(`refs/remotes/${name}/`));
    return remote === undefined ? [] : [ref.slice(`refs/remotes/${remote}/`.length)];
  });
}

/** The remote branch of that name that git chooses; null without one. @throws INVALID_ARGUMENT when ambiguous */
async function remoteBranch(options: GitOptions, name: string): Promise<Revision | null> {
  const found = new Map<string, Revision>();
  for (const remote of await remotesOf(options)) {
    const ref = `refs/remotes/${remote}/${name}`;
    const revision = await revisionOf(ref, options);
    if (revision !== null) found.set(remote, { ...revision, ref });
  }
  const [first, ...others] = found.values();
  if (first === undefined || others.length === 0) return first ?? null;
  const preferred = (await requireGit(["config", "--get", "checkout.defaultRemote"], { ...options, accept: [0, 1] })).trim();
  const chosen = found.get(preferred);
  if (chosen !== undefined) return chosen;
  const remotes = [...found.keys()];
  throw wrong(
    `several remotes have a branch ${name}: ${remotes.map((remote) => visibleText(remote)).join(", ")}`,
    `Name one with --base, such as \`--branch ${name} --base ${remotes[0]}/${name}\`, or set git's checkout.defaultRemote.`,
  );
}

const REF_SPACE = /^(?:refs|heads|tags|remotes)\//;

/** A name in the form of a revision that does not exist is a mistake, not a new branch. */
async function requireNoRef(options: GitOptions, name: string): Promise<void> {
  const remote = (await remotesOf(options)).find((one) => name.startsWith(`${one}/`));
  if (remote !== undefined) {
    throw wrong(
      `branch ${name.slice(remote.length + 1)} of remote ${remote} is not known here`,
      `Fetch it first with \`git fetch ${remote}\`, or leave out ${remote}/ to make a new branch.`,
    );
  }
  if (REF_SPACE.test(name))
    throw wrong(`there is no ref ${name} here`, "Leave out the part before the branch's own name to make a new branch.");
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(name))
    throw wrong(`there is no commit ${name} here`, "`git fetch` gets commits that only the remote has.");
}

function requireNoConflict(name: string, branches: BranchNames): void {
  const conflict = conflictOf(name, branches);
  if (conflict === null) return;
  const why = {
    same: "this repository does not distinguish the two names",
    above: "git stores branches as files, so it cannot contain others",
    below: "git stores branches as files, so that name is a folder",
  }[conflict.kind];
  throw new TmpmError("NAME_TAKEN", `branch ${name} cannot be made because of branch ${conflict.branch}: ${why}`, {
    hint: "Name another branch, or omit it to get a new one.",
    details: { field: "branch", branch: name, existing: conflict.branch },
  });
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

function wrong(message: string, hint: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { hint, details: { field: "branch" } });
}
