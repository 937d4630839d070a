import { join } from "node:path";
import { TmpmError, type Workspace } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { readBounded } from "../files/read-bounded.js";
import { requireGit } from "../git/require-git.js";
import { placeFiles } from "./place-files.js";

/** Git patterns of ignored files to copy into new worktrees. Other tools read it too. */
export const INCLUDE_FILE = ".worktreeinclude";

const MOST_FILES = 500;
const MOST_NOTED = 3;

/**
 * Copies files that a repository's `.worktreeinclude` matches and git ignores from a worktree's source directory. Existing files stay.
 * Returns notes for the user; a file that cannot be copied does not affect the others.
 */
export async function includeFiles(ctx: WorkspaceContext, { kind, path, source }: Workspace): Promise<readonly string[]> {
  if (kind !== "worktree" || !source.startsWith("/")) return [];
  const file = await readBounded(join(source, INCLUDE_FILE), { maxBytes: 64 * 1024 });
  if (file.kind === "missing") return [];
  if (file.kind === "refused") return [`${INCLUDE_FILE} was not used: ${file.reason}`];
  try {
    const names = await namedAndIgnored(ctx, source);
    if (names.length > MOST_FILES) return [`${INCLUDE_FILE} names ${names.length} files, more than ${MOST_FILES}, so none was copied`];
    const failures: string[] = [];
    for (const name of names) {
      const { failure } = await placeFiles({ workspace: path, source, env: ctx.env }, { copy: [name], link: [] }, { again: true });
      if (failure !== null) failures.push(failure);
    }
    const more = failures.length > MOST_NOTED ? ` and ${failures.length - MOST_NOTED} more` : "";
    return failures.length === 0
      ? []
      : [`not everything that ${INCLUDE_FILE} names was copied: ${failures.slice(0, MOST_NOTED).join("; ")}${more}`];
  } catch (error) {
    if (error instanceof TmpmError) return [`${INCLUDE_FILE} was not used: ${error.message}`];
    throw error;
  }
}

async function namedAndIgnored(ctx: WorkspaceContext, source: string): Promise<readonly string[]> {
  const git = { directory: source, env: ctx.env, timeoutMs: ctx.lookMs };
  const named = await requireGit(["ls-files", "-z", "--others", "--ignored", `--exclude-from=${join(source, INCLUDE_FILE)}`], git);
  if (named === "") return [];
  const ignored = await requireGit(["check-ignore", "-z", "--stdin"], { ...git, input: named, accept: [0, 1] });
  return ignored.split("\0").filter((name) => name !== "");
}
