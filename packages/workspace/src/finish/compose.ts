import { type ConfiguredProgram, configuredPrograms, OF_REPOSITORY } from "../git/configured-programs.js";
import type { GitOptions } from "../git/git.js";
import { askGit, requireGit } from "../git/require-git.js";
import type { Conflict, FinishPlan, MergeHow } from "./finish-plan.js";
import { mergeTrees, treeOf } from "./merge-tree.js";

/** Git's own merge of texts. A driver that is unset or empty would be an error, or accept one side without a merge. */
const BUILT_IN = "git merge-file -q --marker-size=%L %A %O %B || exit 1";

/**
 * Settings that replace every merge driver configured in the repository, which git would run when both sides change a file, by the one of
 * that name in the user's own configuration, or by git's own merge.
 */
async function withoutRepositoryMergeDrivers(options: GitOptions): Promise<Readonly<Record<string, string>>> {
  const drivers = (await configuredPrograms(options, "merge")).filter(({ key }) => key === "driver");
  const isRepositorys = ({ scope }: ConfiguredProgram) => OF_REPOSITORY.includes(scope);
  const users = new Map(drivers.flatMap((driver) => (isRepositorys(driver) ? [] : [[driver.name, driver.value] as const])));
  return Object.fromEntries(drivers.filter(isRepositorys).map(({ name }) => [`merge.${name}.driver`, users.get(name) ?? BUILT_IN]));
}

export interface Composition {
  readonly how: MergeHow;
  /** The commits of target and work. */
  readonly target: string;
  readonly source: string;
  readonly message: string;
  /** By the user's configuration; false for a preview, so that no key is requested. */
  readonly sign: boolean;
}

/** The target's new commit. `diverged` and `merge_commits` are refused by the user's configuration, and by the nature of a rebase. */
export type ComposeResult =
  | { readonly kind: "composed"; readonly commit: string; readonly result: FinishPlan["result"] }
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[] }
  | { readonly kind: "diverged" | "merge_commits" };

/** Creates the commit for the target, without moving a ref. Signed by the user's configuration. @throws GIT_FAILED, PREREQUISITE_MISSING */
export async function compose(options: GitOptions, wanted: Composition): Promise<ComposeResult> {
  const { how, target, source } = wanted;
  if (await isAncestor(options, { of: target, commit: source })) return { kind: "composed", commit: target, result: "already" };
  const git = { ...options, config: { ...options.config, ...(await withoutRepositoryMergeDrivers(options)) } };
  switch (how) {
    case "merge":
      return composeMerge(git, wanted);
    case "squash":
      return composeSquash(git, wanted);
    case "rebase":
      return composeRebase(git, wanted);
  }
}

export function isAncestor(git: GitOptions, { of, commit }: { readonly of: string; readonly commit: string }): Promise<boolean> {
  return askGit(["merge-base", "--is-ancestor", commit, of], git);
}

async function composeMerge(git: GitOptions, { target, source, message, sign }: Composition): Promise<ComposeResult> {
  const forward = await isAncestor(git, { of: source, commit: target });
  const wish = (await setting(git, ["merge.ff"])) ?? "true";
  if (forward && wish !== "false" && wish !== "no") return { kind: "composed", commit: source, result: "fast_forward" };
  if (!forward && wish === "only") return { kind: "diverged" };
  const merged = await mergeTrees(git, { ours: target, theirs: source });
  if (merged.kind === "conflicts") return merged;
  const commit = await commitTree(git, { tree: merged.tree, parents: [target, source], message, sign });
  return { kind: "composed", commit, result: "merge_commit" };
}

async function composeSquash(git: GitOptions, { target, source, message, sign }: Composition): Promise<ComposeResult> {
  const merged = await mergeTrees(git, { ours: target, theirs: source });
  if (merged.kind === "conflicts") return merged;
  if (merged.tree === (await treeOf(git, target))) return { kind: "composed", commit: target, result: "already" };
  const commit = await commitTree(git, { tree: merged.tree, parents: [target], message, sign });
  return { kind: "composed", commit, result: "squash_commit" };
}

/** Cherry-picks one commit after another like a rebase, without a checkout. Commits already in the target are skipped. */
async function composeRebase(git: GitOptions, { target, source, sign }: Composition): Promise<ComposeResult> {
  if (await isAncestor(git, { of: source, commit: target })) return { kind: "composed", commit: source, result: "fast_forward" };
  if ((await requireGit(["rev-list", "--merges", "--max-count=1", `${target}..${source}`], git)).trim() !== "")
    return { kind: "merge_commits" };
  const listed = await requireGit(["rev-list", "--reverse", "--topo-order", "--right-only", "--cherry-pick", `${target}...${source}`], git);
  let onto = target;
  for (const commit of listed.split("\n").filter((line) => line !== "")) {
    const picked = await pick(git, { commit, onto, sign });
    if (picked.kind === "conflicts") return picked;
    onto = picked.commit;
  }
  return { kind: "composed", commit: onto, result: onto === target ? "already" : "rebased" };
}

type Picked =
  | { readonly kind: "picked"; readonly commit: string }
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[] };

interface Picking {
  readonly commit: string;
  readonly onto: string;
  readonly sign: boolean;
}

/** A merge with the commit's parent as the base: its new parent is temporarily grafted onto that. */
async function pick(git: GitOptions, { commit, onto, sign }: Picking): Promise<Picked> {
  const parent = (await requireGit(["rev-parse", "--verify", "--quiet", `${commit}^`], { ...git, accept: [0, 1] })).trim();
  const ours = await plainCommit(git, { tree: await treeOf(git, onto), parents: parent === "" ? [] : [parent], message: "onto" });
  const merged = await mergeTrees(git, { ours, theirs: commit });
  if (merged.kind === "conflicts") return merged;
  if (merged.tree === (await treeOf(git, onto))) return { kind: "picked", commit: onto };
  const [name = "", email = "", date = "", ...message] = (
    await requireGit(["log", "-1", "--no-walk", "--date=raw", "--format=%an%n%ae%n%ad%n%B", commit], git)
  ).split("\n");
  const author = { name, email, date: `@${date}` };
  const made = { tree: merged.tree, parents: [onto], message: message.join("\n").trimEnd(), sign };
  return { kind: "picked", commit: await commitTree({ ...git, author }, made) };
}

interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

async function commitTree(git: GitOptions, { sign, ...wanted }: NewCommit & { readonly sign: boolean }): Promise<string> {
  const signed = sign && (await setting(git, ["--type=bool", "commit.gpgSign"])) === "true";
  return plainCommit(git, wanted, signed ? ["-S"] : []);
}

/** Not signed unless `more` requests it. */
export async function plainCommit(git: GitOptions, { tree, parents, message }: NewCommit, more: readonly string[] = []): Promise<string> {
  const args = ["commit-tree", ...more, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-", tree];
  return (await requireGit(args, { ...git, input: `${message}\n` })).trim();
}

async function setting(git: GitOptions, args: readonly string[]): Promise<string | null> {
  const value = await requireGit(["config", "--get", ...args], { ...git, accept: [0, 1] });
  return value === "" ? null : value.trim();
}
