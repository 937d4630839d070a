import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { hasCode } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { exists } from "../files/exists.js";
import type { GitOptions } from "./git.js";
import { askGit, requireGit } from "./require-git.js";

export interface Superproject {
  /** A fresh work tree with empty submodules. */
  readonly workTree: string;
  /** Git folders of the source repository; empty if it is on another machine. Submodules are below their `modules`. */
  readonly localGitDirs: readonly string[];
}

/** A submodule from the index and `.gitmodules`; `path` is relative. */
interface Submodule {
  readonly name: string;
  readonly path: string;
  readonly commit: string;
}

const MAX_SUBMODULES = 50;
const MAX_DEPTH = 5;

/**
 * Fills the submodules used by the source, from objects on this machine: nothing is fetched, no hook and no update command is run. Returns
 * a note on each that stays empty.
 */
export async function fillSubmodules(ctx: WorkspaceContext, project: Superproject, depth = 1): Promise<readonly string[]> {
  const submodules = await submodulesOf(ctx, project.workTree);
  if (depth > MAX_DEPTH || submodules.length > MAX_SUBMODULES)
    return ["it has too many submodules to populate; `git submodule update --init` does"];
  const notes: string[] = [];
  for (const submodule of submodules) notes.push(...(await fillOne(ctx, { project, submodule, depth })));
  return notes;
}

async function submodulesOf(ctx: WorkspaceContext, workTree: string): Promise<readonly Submodule[]> {
  if (!(await exists(join(workTree, ".gitmodules")))) return [];
  const options = { directory: workTree, env: ctx.env };
  const listed = await requireGit(["ls-files", "-t", "--stage", "-z"], options);
  const links = listed.split("\0").flatMap((entry) => {
    const match = /^H 160000 ([0-9a-f]+) 0\t(.+)$/s.exec(entry);
    return match === null ? [] : [{ commit: match[1] ?? "", path: match[2] ?? "" }];
  });
  if (links.length === 0) return [];
  const args = ["config", "--blob", ":.gitmodules", "--null", "--get-regexp", "^submodule\\..*\\.path$"];
  const named = (await requireGit(args, { ...options, accept: [0, 1] })).split("\0").flatMap((entry) => {
    const match = /^submodule\.(.+)\.path\n(.+)$/s.exec(entry);
    return match === null ? [] : [{ name: match[1] ?? "", path: match[2] ?? "" }];
  });
  return links.flatMap((link) => {
    const name = named.find(({ path }) => path === link.path)?.name;
    // Git also rejects a name that leads out of its folder.
    return name === undefined || name.split("/").includes("..") ? [] : [{ ...link, name }];
  });
}

interface Filling {
  readonly project: Superproject;
  readonly submodule: Submodule;
  readonly depth: number;
}

async function fillOne(ctx: WorkspaceContext, { project, submodule, depth }: Filling): Promise<readonly string[]> {
  const { workTree, localGitDirs } = project;
  const { name, path, commit } = submodule;
  const empty = (why: string) => [`submodule ${path} is empty: ${why}; \`git submodule update --init\` there fetches it`];
  if (localGitDirs.length === 0) return empty("its repository is not on this machine");
  if (!(await isUsed(ctx, { localGitDirs, name }))) return [];
  const from = await holderOf(ctx, { localGitDirs, name, commit });
  if (from === null) return empty(`the commit ${commit.slice(0, 12)} is not on this machine`);
  try {
    await checkOut(ctx, { workTree, submodule, from });
    return await fillSubmodules(ctx, { workTree: join(workTree, path), localGitDirs: [from] }, depth + 1);
  } catch (error) {
    if (!hasCode(error, "GIT_FAILED")) throw error;
    return empty(error.message);
  }
}

/** Whether the source has the submodule initialised. */
async function isUsed(ctx: WorkspaceContext, of: { readonly localGitDirs: readonly string[]; readonly name: string }): Promise<boolean> {
  for (const directory of of.localGitDirs) {
    const options = { directory, env: ctx.env };
    if (await askGit(["config", "--get", `submodule.${of.name}.url`], options)) return true;
  }
  return false;
}

interface Wanted {
  readonly localGitDirs: readonly string[];
  readonly name: string;
  readonly commit: string;
}

/** A git folder of the submodule on this machine that has the commit; null without one. */
async function holderOf(ctx: WorkspaceContext, { localGitDirs, name, commit }: Wanted): Promise<string | null> {
  for (const gitDir of localGitDirs) {
    const directory = join(gitDir, "modules", name);
    if (!(await isDirectory(directory))) continue;
    if (await askGit(["cat-file", "-e", `${commit}^{commit}`], { directory, env: ctx.env, no: [1, 128] })) return directory;
  }
  return null;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await exists(path)) && (await lstat(path)).isDirectory();
}

interface CheckOut {
  readonly workTree: string;
  readonly submodule: Submodule;
  readonly from: string;
}

async function checkOut(ctx: WorkspaceContext, { workTree, submodule, from }: CheckOut): Promise<void> {
  const { name, path } = submodule;
  const options: GitOptions & { readonly effect: "unknown" } = { directory: workTree, env: ctx.env, effect: "unknown" };
  // A plain path would share the object files with the source by hard links.
  const url = pathToFileURL(from).href;
  const local = { protocols: "file", timeoutMs: ctx.checkoutMs };
  await requireGit(["submodule", "--quiet", "init", "--", path], options);
  await requireGit(["submodule", "--quiet", "update", "--checkout", "--", path], {
    ...options,
    ...local,
    config: { [`submodule.${name}.url`]: url },
  });
  const inside = { ...options, directory: join(workTree, path) };
  // The source's remote branches, so that their commits do not count as unsaved work.
  const refs = ["+refs/remotes/origin/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"];
  await requireGit(["fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head", url, ...refs], { ...inside, ...local });
  const remote = await requireGit(["config", "--get", "remote.origin.url"], { directory: from, env: ctx.env, accept: [0, 1] });
  if (remote !== "") await requireGit(["config", "remote.origin.url", remote.replace(/\n$/, "")], inside);
}
