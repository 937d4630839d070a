import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { hasErrno, TmpmError } from "@tmpm/core";
import { type GitOptions, git } from "./git.js";
import { type GitAdvice, gitAdvice } from "./git-advice.js";
import { type Head, headOf } from "./head.js";

/** The repository of a directory, in any layout: a plain checkout, a linked work tree, a bare one, or one with a separate git folder. */
export interface FoundRepository {
  /** The git folder shared by all its work trees, without symbolic links. */
  readonly gitDir: string;
  /** The work tree's top; outside any work tree, the repository's folder. */
  readonly place: string;
  /** The directory relative to the top; empty for the top, and outside any work tree. */
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
  // A path with a newline in it is queried separately.
  const [common = "", top = ""] = isOutside ? [paths.join("\n")] : paths.length === 2 ? paths : await bothPaths(inside);
  const gitDir = await realpath(resolve(directory, common));
  const head = await headOf(inside);
  if (isOutside) {
    const place = inGitDir === "true" ? checkoutOf(gitDir) : directory;
    return { gitDir, place, folder: "", checkedOut: false, head };
  }
  return { gitDir, place: top, folder: await folderBelow(top, inside), checkedOut: true, head };
}

/** Git's output outside any work tree, before it fails to name its top. */
const OUTSIDE = /^(?:true|false)\nfalse\n/;

async function bothPaths(inside: GitOptions & { readonly directory: string }): Promise<readonly string[]> {
  const printed = [await answer(["rev-parse", "--git-common-dir"], inside), await answer(["rev-parse", "--show-toplevel"], inside)];
  return printed.map((path) => path.replace(/\n$/, ""));
}

async function folderBelow(top: string, inside: GitOptions & { readonly directory: string }): Promise<string> {
  const folder = relative(top, await realpath(inside.directory));
  if (folder !== ".." && !folder.startsWith("../")) return folder;
  // Another spelling of the top leads there too.
  return (await answer(["rev-parse", "--show-prefix"], inside)).replace(/\/?\n$/, "");
}

function checkoutOf(gitDir: string): string {
  return basename(gitDir) === ".git" ? dirname(gitDir) : gitDir;
}

interface Asking extends GitOptions {
  readonly directory: string;
  /** The valid part of a failed command's output. */
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

/** The files that git reads first. A pipe in place of any of them makes it block. */
const READ_FIRST = ["HEAD", "config", "commondir", "packed-refs", "index"];

/** The first special file of the repository around a directory; null without one. */
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
