import { dirname, join, resolve } from "node:path";
import type { Workspace } from "@tmpm/core";
import { exists } from "../files/exists.js";
import { readBounded } from "../files/read-bounded.js";
import { isUnfinished } from "./take-back-workspace.js";

/**
 * Whether a session can work in its workspace. `unfinished`: a crash interrupted its creation. `cut_off`: its repository is no longer at
 * its path.
 */
export type WorktreeState =
  | { readonly kind: "standing" }
  | { readonly kind: "missing" }
  | { readonly kind: "unfinished" }
  | { readonly kind: "cut_off"; readonly repository: string };

/** Checks without git, which would block on an unresponsive repository. */
export async function standingOf(workspace: Workspace): Promise<WorktreeState> {
  const { path, repository } = workspace;
  if (!(await exists(path))) return { kind: "missing" };
  if (await isUnfinished(workspace)) return { kind: "unfinished" };
  if (repository === null) return { kind: "standing" };
  const pointer = await readBounded(join(path, ".git"), { maxBytes: 64 * 1024 });
  // Git reports any other problem.
  if (pointer.kind !== "read") return { kind: "standing" };
  const gitDir = /^gitdir: (.+)\n?$/.exec(pointer.bytes.toString("utf8"))?.[1];
  if (gitDir === undefined || (await exists(resolve(path, gitDir)))) return { kind: "standing" };
  return { kind: "cut_off", repository: dirname(dirname(dirname(resolve(path, gitDir)))) };
}
