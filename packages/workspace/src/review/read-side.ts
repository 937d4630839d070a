import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ForkPoint, hasErrno, TmpmError } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { readBounded } from "../files/read-bounded.js";
import { type GitOptions, git as runGit } from "../git/git.js";
import { requireGit } from "../git/require-git.js";
import { baseOf } from "./base-of.js";
import { workTreeOf } from "./work-tree-of.js";

export interface SideRequest {
  readonly directory: string;
  readonly fork: ForkPoint | null;
  /** Relative to the top of the work tree. */
  readonly path: string;
  readonly side: "new" | "old";
}

/** A file's lines and git's id of its content; null when it is missing or not readable as text. */
export interface FileSide {
  readonly lines: readonly string[];
  readonly blob: string;
}

const MOST_BYTES = 4 * 1024 * 1024;

/**
 * The file in the work tree, or at the fork point. Nothing outside the work tree is read. @throws REPOSITORY_NOT_FOUND, INVALID_ARGUMENT,
 * GIT_FAILED
 */
export async function readSide(ctx: WorkspaceContext, request: SideRequest): Promise<FileSide | null> {
  const { directory, fork, path, side } = request;
  if (path.startsWith("/") || path.includes("\0") || path.split("/").includes(".."))
    throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(path)} is not a path below the top of the work tree`, {
      details: { field: "path" },
    });
  const { top } = await workTreeOf(ctx, directory);
  const git: GitOptions = { directory: top, env: ctx.env, timeoutMs: ctx.inspectMs };
  const text = side === "new" ? await standing(top, path) : await atBase(git, { fork, path });
  if (text === null) return null;
  const blob = (await requireGit(["hash-object", "--no-filters", "--stdin"], { ...git, input: text })).trim();
  const lines = text.split(/\r?\n/);
  return { blob, lines: lines.at(-1) === "" ? lines.slice(0, -1) : lines };
}

async function standing(top: string, path: string): Promise<string | null> {
  const place = join(top, path);
  if (!(await isInside(top, dirname(place)))) return null;
  const found = await readBounded(place, { maxBytes: MOST_BYTES });
  return found.kind === "read" ? found.bytes.toString("utf8") : null;
}

async function isInside(top: string, folder: string): Promise<boolean> {
  try {
    const [root, real] = await Promise.all([realpath(top), realpath(folder)]);
    return real === root || real.startsWith(`${root}/`);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES")) return false;
    throw error;
  }
}

async function atBase(git: GitOptions, { fork, path }: { readonly fork: ForkPoint | null; readonly path: string }): Promise<string | null> {
  const { commit } = await baseOf(git, { fork, asked: null });
  if (commit === null) return null;
  const result = await runGit(["cat-file", "blob", `${commit}:${path}`], git);
  return result.kind === "exited" && result.exitCode === 0 && result.stdout.length <= MOST_BYTES ? result.stdout : null;
}
