import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { hasErrno, TmpmError } from "@tmpm/core";
import { type GitOptions, git } from "./git.js";
import { type GitAdvice, gitAdvice } from "./git-advice.js";
import { type Head, headOf } from "./head.js";

/** The repository that a directory belongs to, in whatever layout git knows: a plain checkout, a linked work tree, a bare one, or one with its git folder elsewhere. */
export interface FoundRepository {
  /** The git folder that all its work trees share, without symbolic links. */
  readonly gitDir: string;
  /** The work tree's top; of a directory outside any work tree, where the repository is. */
  readonly place: string;
  /** The directory below the top, relative; empty for the top, and outside any work tree. */
  readonly folder: string;
  /** False outside any work tree, as in a bare repository. */
  readonly checkedOut: boolean;
  readonly head: Head;
}

/** @throws REPOSITORY_NOT_FOUND with git's own reason and advice, GIT_FAILED when git does not answer, PREREQUISITE_MISSING */
export async function findRepository(directory: string, options: Omit<GitOptions, "directory">): Promise<FoundRepository> {
  const inside = { ...options, directory };
  const asked = ["rev-parse", "--is-inside-git-dir", "--is-inside-work-tree", "--git-common-dir"];
  const [inGitDir, inWorkTree, ...common] = (await answer(asked, inside)).split("\n");
  const gitDir = await realpath(resolve(directory, common.join("\n").replace(/\n$/, "")));
  const head = await headOf(inside);
  if (inWorkTree !== "true") {
    const place = inGitDir === "true" ? checkoutOf(gitDir) : directory;
    return { gitDir, place, folder: "", checkedOut: false, head };
  }
  const place = (await answer(["rev-parse", "--show-toplevel"], inside)).replace(/\n$/, "");
  const folder = (await answer(["rev-parse", "--show-prefix"], inside)).replace(/\/?\n$/, "");
  return { gitDir, place, folder, checkedOut: true, head };
}

function checkoutOf(gitDir: string): string {
  return basename(gitDir) === ".git" ? dirname(gitDir) : gitDir;
}

async function answer(args: readonly string[], options: GitOptions & { readonly directory: string }): Promise<string> {
  const result = await git(args, options);
  const { directory } = options;
  if (result.kind === "exited") {
    if (result.exitCode === 0) return result.stdout;
    throw noRepository(directory, gitAdvice(result.stderr));
  }
  if (result.cause === "not_installed")
    throw new TmpmError("PREREQUISITE_MISSING", "git is not installed", { details: { program: "git" } });
  const odd = await oddFileOf(directory);
  throw new TmpmError("GIT_FAILED", `${JSON.stringify(directory)}: ${result.reason}${odd === null ? "" : `; ${odd}`}`, {
    hint:
      odd === null
        ? "The disk may not answer, or git waits for one of the repository's files."
        : "Replace it with a file, or leave out the workspace.",
    details: { path: directory, cause: result.cause },
  });
}

export function noRepository(path: string, { reason, hint }: GitAdvice): TmpmError {
  return new TmpmError("REPOSITORY_NOT_FOUND", `${JSON.stringify(path)}: ${reason}`, {
    hint: hint ?? "Name a directory in a git repository.",
    details: { path, reason },
  });
}

/** What git reads first. A pipe in place of any of them makes it wait indefinitely. */
const READ_FIRST = ["HEAD", "config", "commondir", "packed-refs", "index"];

/** Which file of the repository around a directory is not a file; null when none is found. */
async function oddFileOf(directory: string): Promise<string | null> {
  for (let folder = directory; ; folder = dirname(folder)) {
    const entry = join(folder, ".git");
    const kind = await kindOf(entry);
    if (kind === "odd") return `${JSON.stringify(entry)} is not a file`;
    for (const file of READ_FIRST) {
      const path = join(kind === "folder" ? entry : folder, file);
      if ((kind === "folder" || folder === directory) && (await kindOf(path)) === "odd") return `${JSON.stringify(path)} is not a file`;
    }
    if (kind === "folder" || dirname(folder) === folder) return null;
  }
}

async function kindOf(path: string): Promise<"missing" | "folder" | "file" | "odd"> {
  try {
    const found = await lstat(path);
    if (found.isDirectory()) return "folder";
    return found.isFile() || found.isSymbolicLink() ? "file" : "odd";
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR", "EACCES")) return "missing";
    throw error;
  }
}
