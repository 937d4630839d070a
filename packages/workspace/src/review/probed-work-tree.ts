import { lstat, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { hasErrno } from "@tmpm/core";
import { readBounded } from "../files/read-bounded.js";
import type { GitOptions } from "../git/git.js";
import { withoutRepositoryFilters } from "../git/repository-filters.js";
import { requireGit } from "../git/require-git.js";

export type InDirectory = GitOptions & { readonly directory: string };

/** What a snapshot of a work tree requires of git. */
export interface ProbedWorkTree {
  /** Absolute; it may not exist. */
  readonly index: string;
  /** Disables the filters that the repository configures. */
  readonly filters: Readonly<Record<string, string>>;
}

interface Places {
  readonly top: string;
  readonly gitDir: string;
  readonly commonDir: string;
}

interface Remembered extends ProbedWorkTree {
  readonly places: Places;
  /** The content of every file that git's answers came from. */
  readonly files: readonly string[];
}

const MOST = 256;
const MOST_BYTES = 256 * 1024;

/**
 * Asks git about work trees, and remembers its answers while every file that they came from is unchanged. @throws GIT_FAILED,
 * PREREQUISITE_MISSING
 */
export function workTreeProbe(): (git: InDirectory) => Promise<ProbedWorkTree> {
  const known = new Map<string, Remembered>();
  return async (git) => {
    const { directory } = git;
    const before = known.get(directory);
    if (before !== undefined && (await holds(directory, before))) return before;
    known.delete(directory);
    const places = await placesOf(git);
    // Read before git's answer: a later change is found by the next comparison.
    const files = places === null ? null : await filesOf(places);
    const filters = await withoutRepositoryFilters(git);
    if (places === null) return { index: await indexOf(git), filters };
    const probed = { index: join(places.gitDir, "index"), filters };
    if (files !== null && (await leads(directory, places))) {
      if (known.size >= MOST) known.clear();
      known.set(directory, { ...probed, places, files });
    }
    return probed;
  };
}

async function holds(directory: string, { places, files }: Remembered): Promise<boolean> {
  if (!(await leads(directory, places))) return false;
  const now = await filesOf(places);
  return now !== null && now.length === files.length && now.every((content, index) => content === files[index]);
}

/** Null for names with a line break in them. */
async function placesOf(git: InDirectory): Promise<Places | null> {
  const printed = await requireGit(["rev-parse", "--show-toplevel", "--git-dir", "--git-common-dir"], git);
  const lines = printed.replace(/\n$/, "").split("\n");
  const [top = "", gitDir = "", commonDir = ""] = lines.map((line) => resolve(git.directory, line));
  return lines.length === 3 ? { top, gitDir, commonDir } : null;
}

async function indexOf(git: InDirectory): Promise<string> {
  return resolve(git.directory, (await requireGit(["rev-parse", "--git-path", "index"], git)).replace(/\n$/, ""));
}

/** Whether git's search from the directory ends at these places: it starts with the directory's own `.git`, which leads there. */
async function leads(directory: string, { top, gitDir, commonDir }: Places): Promise<boolean> {
  try {
    if ((await realpath(directory)) !== top) return false;
    const entry = join(top, ".git");
    const own = (await lstat(entry)).isDirectory() ? entry : await pointerIn(entry, { from: top, before: "gitdir: " });
    if (own !== gitDir) return false;
    return ((await pointerIn(join(gitDir, "commondir"), { from: gitDir, before: "" })) ?? gitDir) === commonDir;
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES")) return false;
    throw error;
  }
}

async function pointerIn(path: string, { from, before }: { readonly from: string; readonly before: string }): Promise<string | null> {
  const found = await readBounded(path, { maxBytes: 4096 });
  if (found.kind !== "read") return null;
  const text = found.bytes.toString("utf8").replace(/\n$/, "");
  return text.startsWith(before) ? resolve(from, text.slice(before.length)) : null;
}

/** The repository's configuration; null when it includes other files, or cannot be compared. */
async function filesOf({ gitDir, commonDir }: Places): Promise<readonly string[] | null> {
  const paths = [join(commonDir, "config"), join(gitDir, "config.worktree")];
  const found = await Promise.all(paths.map((path) => readBounded(path, { maxBytes: MOST_BYTES })));
  const contents = found.flatMap((file) => {
    if (file.kind === "read") return [`read ${file.bytes.toString("latin1")}`];
    return file.kind === "missing" ? ["missing"] : [];
  });
  return contents.length < paths.length || contents.some((content) => /include/i.test(content)) ? null : contents;
}
