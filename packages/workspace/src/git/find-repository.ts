import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
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
  const asked = ["rev-parse", "--is-inside-git-dir", "--is-inside-work-tree", "--git-common-dir", "--show-toplevel"];
  const [inGitDir, inWorkTree, ...paths] = (await answer(asked, { ...inside, alsoRefused: OUTSIDE })).replace(/\n$/, "").split("\n");
  const isOutside = inWorkTree !== "true";
  // A path with a newline in it is asked for by itself.
  const [common = "", top = ""] = isOutside ? [paths.join("\n")] : paths.length === 2 ? paths : await bothPaths(inside);
  const gitDir = await realpath(resolve(directory, common));
  const head = await headOf(inside);
  if (isOutside) {
    const place = inGitDir === "true" ? checkoutOf(gitDir) : directory;
    return { gitDir, place, folder: "", checkedOut: false, head };
  }
  return { gitDir, place: top, folder: await folderBelow(top, inside), checkedOut: true, head };
}

/** What git prints outside any work tree before it refuses to name its top. */
const OUTSIDE = /^(?:true|false)\nfalse\n/;

async function bothPaths(inside: GitOptions & { readonly directory: string }): Promise<readonly string[]> {
  const printed = [await answer(["rev-parse", "--git-common-dir"], inside), await answer(["rev-parse", "--show-toplevel"], inside)];
  return printed.map((path) => path.replace(/\n$/, ""));
}

async function folderBelow(top: string, inside: GitOptions & { readonly directory: string }): Promise<string> {
  const folder = relative(top, await realpath(inside.directory));
  if (folder !== ".." && !folder.startsWith("../")) return folder;
  // Another spelling of the top leads there, too.
  return (await answer(["rev-parse", "--show-prefix"], inside)).replace(/\/?\n$/, "");
}

function checkoutOf(gitDir: string): string {
  return basename(gitDir) === ".git" ? dirname(gitDir) : gitDir;
}

interface Asking extends GitOptions {
  readonly directory: string;
  /** What a refusal prints that is an answer all the same. */
  readonly alsoRefused?: RegExp;
}

async function answer(args: readonly string[], { alsoRefused, ...options }: Asking): Promise<string> {
  const result = await git(args, options);
  const { directory } = options;
  if (result.kind === "exited") {
    if (result.exitCode === 0 || alsoRefused?.test(result.stdout) === true) return result.stdout;
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
