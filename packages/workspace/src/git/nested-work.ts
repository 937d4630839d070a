import { join } from "node:path";
import { type Reason, reason } from "../refusal.js";
import type { GitOptions } from "./git.js";
import { gitDirOf } from "./git-dir-of.js";
import { requireGit } from "./require-git.js";
import { workIn } from "./work-in.js";
import { worktreesOf } from "./worktrees-of.js";

const MAX_REPOSITORIES = 50;

export interface Nest {
  readonly workTree: string;
  readonly gitDir: string;
  /** Folders with a repository of their own, relative to the work tree. */
  readonly repositories: readonly string[];
  readonly git: Pick<GitOptions, "env" | "timeoutMs">;
}

/** Work in repositories inside the workspace, including submodules: each is checked like a clone. */
export async function nestedWork(nest: Nest): Promise<readonly Reason[]> {
  if (nest.repositories.length > MAX_REPOSITORIES) return [nested([...nest.repositories], "too many nested repositories to check")];
  const reasons: Reason[] = [];
  for (const folder of nest.repositories) {
    const workTree = join(nest.workTree, folder);
    const gitDir = await gitDirOf(workTree);
    if (gitDir === null || !liesIn(gitDir, [workTree, join(nest.gitDir, "modules")])) {
      reasons.push(belonging(folder));
      continue;
    }
    const why = await workOf({ workTree, gitDir }, nest);
    if (why !== null) reasons.push(nested([folder], `the repository ${JSON.stringify(folder)} in it: ${why}`));
  }
  return reasons;
}

/** A repository elsewhere treats a moved work tree as gone, and may prune it. */
function belonging(folder: string): Reason {
  return reason("worktrees", {
    kind: "in_use",
    message: `${JSON.stringify(folder)} in it belongs to a repository elsewhere`,
    items: [folder],
  });
}

function liesIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(`${folder}/`));
}

function nested(items: readonly string[], message: string): Reason {
  return reason("nested_repository", { kind: "work", message, items });
}

/** Why the repository may hold unsaved work; null when all its work is elsewhere too. */
async function workOf({ workTree, gitDir }: Pick<Nest, "workTree" | "gitDir">, nest: Nest): Promise<string | null> {
  const options = { directory: workTree, ...nest.git };
  const top = (await requireGit(["rev-parse", "--show-toplevel"], { ...options, accept: [0, 128] })).replace(/\n$/, "");
  if (top !== workTree) return "git cannot determine it";
  if ((await worktreesOf(options)).length > 1) return "other work trees belong to it";
  const { reasons } = await workIn({ workTree, gitDir, kind: "clone", known: [], git: nest.git });
  return reasons.length === 0 ? null : reasons.map(({ message }) => message).join(", ");
}
