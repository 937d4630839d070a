import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, type Workspace } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { exists } from "../files/exists.js";
import { withoutRepositoryFilters } from "../git/repository-filters.js";
import { requireGit } from "../git/require-git.js";
import { fillSubmodules } from "../git/submodules.js";
import { plural } from "../plural.js";

/** The folder that matches the requested directory, and its differences from that. */
export type WorkspaceFolder = Pick<Workspace, "folder" | "notes">;

/** Makes a fresh workspace as similar to its source as the objects on this machine allow, and returns the differences. */
export async function arrange(ctx: WorkspaceContext, workspace: Workspace): Promise<WorkspaceFolder> {
  const { path, source, folder } = workspace;
  const found = await folderIn(path, folder);
  const lost = found === folder ? [] : [`${folder} is not in this commit, so it works in ${found === "" ? "the workspace's top" : found}`];
  const submodules = await fillSubmodules(ctx, { workTree: path, localGitDirs: await localGitDirs(ctx, workspace) });
  const changes = source.startsWith("/") ? await uncommitted(ctx, source) : [];
  return { folder: found, notes: [...workspace.notes, ...lost, ...submodules, ...(await sparse(ctx, workspace)), ...changes] };
}

/** The existing part of the folder. No symbolic link is followed: it could lead out of the workspace. */
async function folderIn(top: string, folder: string): Promise<string> {
  let there = "";
  for (const name of folder === "" ? [] : folder.split("/")) {
    const next = there === "" ? name : `${there}/${name}`;
    if (!(await exists(join(top, next))) || !(await lstat(join(top, next))).isDirectory()) return there;
    there = next;
  }
  return there;
}

/** The git folder of the work tree itself first, then the shared one. */
async function localGitDirs(ctx: WorkspaceContext, { source }: Workspace): Promise<readonly string[]> {
  if (!source.startsWith("/")) return [];
  const options = { directory: source, env: ctx.env };
  const asked = ["--absolute-git-dir", "--path-format=absolute", "--git-common-dir"] as const;
  const both = (await requireGit(["rev-parse", ...asked], options)).replace(/\n$/, "").split("\n");
  if (both.length === 2) return [...new Set(both)];
  // A path with a newline in it is queried separately.
  const own = (await requireGit(["rev-parse", asked[0]], options)).replace(/\n$/, "");
  const common = (await requireGit(["rev-parse", asked[1], asked[2]], options)).replace(/\n$/, "");
  return own === common ? [own] : [own, common];
}

async function sparse(ctx: WorkspaceContext, { path, source }: Workspace): Promise<readonly string[]> {
  const options = { directory: path, env: ctx.env, accept: [0, 1] };
  if ((await requireGit(["config", "--type=bool", "--get", "core.sparseCheckout"], options)).trim() !== "true") return [];
  return [`it is sparse, like ${source}; \`git sparse-checkout disable\` there adds the rest`];
}

/** Things that the caller may expect in the workspace, because they are in the caller's directory. */
async function uncommitted(ctx: WorkspaceContext, source: string): Promise<readonly string[]> {
  const options = { directory: source, env: ctx.env, timeoutMs: ctx.lookMs };
  try {
    const config = await withoutRepositoryFilters(options);
    const args = ["status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=dirty", "--no-renames"];
    // Outside any work tree nothing is uncommitted.
    const entries = (await requireGit(args, { ...options, config, accept: [0, 128] })).split("\0").filter((entry) => entry !== "");
    const untracked = entries.filter((entry) => entry.startsWith("??")).length;
    const counts = [
      ...(entries.length === untracked ? [] : [plural(entries.length - untracked, "changed file")]),
      ...(untracked === 0 ? [] : [`${untracked} untracked`]),
    ];
    return counts.length === 0 ? [] : [`not committed in ${source}, so not in the workspace: ${counts.join(" and ")}`];
  } catch (error) {
    if (!hasCode(error, "GIT_FAILED")) throw error;
    return [`whether ${source} has uncommitted changes cannot be determined: ${error.message}`];
  }
}
