import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceContext } from "../context.js";
import { requireGit } from "../git/require-git.js";
import { workTreeProbe } from "./probed-work-tree.js";
import { addAll, copyIndex, inScratchFolder } from "./scratch-index.js";

/** Snapshots of work trees, stored as trees in their repositories. */
export interface TurnSnapshots {
  /**
   * All files of the work tree around a directory except ignored ones. The user's index is not written. @throws GIT_FAILED,
   * PREREQUISITE_MISSING
   */
  take(directory: string): Promise<string>;
  /** Forgets the last tree: its objects may be missing. */
  forget(): void;
}

/** Objects are stored loose, since a pack for every turn would make git repack all of them. */
const KEPT = {
  "core.compression": "-1",
  "core.bigFileThreshold": "512m",
  "core.fsync": "default",
  "core.splitIndex": "false",
  "advice.addEmbeddedRepo": "false",
};

const MOST = 256;

export function turnSnapshots(ctx: WorkspaceContext): TurnSnapshots {
  const probe = workTreeProbe();
  /** The last index of each directory with all files added, as a digest, and its tree. */
  const last = new Map<string, { readonly digest: string; readonly tree: string }>();

  async function treeOf(directory: string, folder: string): Promise<string> {
    const git = { directory, env: ctx.env, timeoutMs: ctx.lookMs };
    const { index: users, filters } = await probe(git);
    const index = join(folder, "index");
    await copyIndex(users, index);
    const scratched = { ...git, config: { ...filters, ...KEPT }, scratch: { index, objects: null } };
    await addAll(scratched);
    const digest = await digestOf(index);
    const known = last.get(directory);
    // Equal indexes have equal trees, and the earlier one is already stored.
    if (known?.digest === digest) return known.tree;
    const tree = (await requireGit(["write-tree"], scratched)).trim();
    if (last.size >= MOST) last.clear();
    last.set(directory, { digest, tree });
    return tree;
  }

  return { take: (directory) => inScratchFolder((folder) => treeOf(directory, folder)), forget: () => last.clear() };
}

async function digestOf(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
