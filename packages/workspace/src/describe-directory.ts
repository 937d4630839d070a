import { visibleText } from "@tmpm/core";
import { publicUrl } from "./clone/remote-url.js";
import { examinePath, type Place } from "./files/examine-path.js";
import { type GitOptions, type GitResult, git } from "./git/git.js";
import { gitAdvice } from "./git/git-advice.js";

/** Git's facts about a directory in a work tree. */
export interface GitFacts {
  /** Top directory of the work tree. */
  readonly root: string;
  /** Null on a detached HEAD. */
  readonly branch: string | null;
  /** The full id of the commit checked out; null in a repository without commits. */
  readonly commit: string | null;
  /** The URL of `origin`, else of the first remote, without credentials. */
  readonly remote: string | null;
}

export type DirectoryFacts =
  | Exclude<Place, { readonly kind: "directory" }>
  | (Extract<Place, { readonly kind: "directory" }> & {
      readonly git: GitFacts | null;
      /** Why `git` is null: no repository, no git, or no answer in time. */
      readonly gitReason: string | null;
    });

/** Inspects a directory without running any program from it. Git that is missing, hangs or fails leaves `git` null; never an error. */
export async function describeDirectory(path: string, options: Omit<GitOptions, "directory"> = {}): Promise<DirectoryFacts> {
  const place = await examinePath(path);
  if (place.kind !== "directory") return place;
  const { realPath } = place;
  const found = await gitFacts({ timeoutMs: 5000, ...options, directory: realPath });
  return typeof found === "string"
    ? { kind: "directory", realPath, git: null, gitReason: found }
    : { kind: "directory", realPath, git: found, gitReason: null };
}

/** The facts, or the reason without any. */
async function gitFacts(options: GitOptions): Promise<GitFacts | string> {
  const root = await git(["rev-parse", "--show-toplevel"], options);
  if (root.kind === "unavailable") return root.reason;
  if (root.exitCode !== 0) return gitAdvice(root.stderr).reason;
  const [branch, commit, remotes] = await Promise.all([
    git(["symbolic-ref", "--quiet", "--short", "HEAD"], options),
    git(["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"], options),
    git(["config", "--null", "--get-regexp", "^remote\\..*\\.url$"], options),
  ]);
  for (const result of [branch, commit, remotes]) if (result.kind === "unavailable") return result.reason;
  return { root: root.stdout.replace(/\n$/, ""), branch: line(branch), commit: line(commit), remote: remoteOf(remotes) };
}

function line(result: GitResult): string | null {
  if (result.kind === "unavailable" || result.exitCode !== 0) return null;
  return visibleText(result.stdout.replace(/\n$/, "")) || null;
}

/** Entries are `remote.NAME.url`, LF, the value, NUL. */
function remoteOf(result: GitResult): string | null {
  if (result.kind === "unavailable" || result.exitCode !== 0) return null;
  const remotes = result.stdout.split("\0").flatMap((entry) => {
    const end = entry.indexOf("\n");
    return end < 0 ? [] : [{ key: entry.slice(0, end), url: entry.slice(end + 1) }];
  });
  const chosen = remotes.find(({ key }) => key === "remote.origin.url") ?? remotes[0];
  return chosen === undefined ? null : publicUrl(chosen.url);
}
