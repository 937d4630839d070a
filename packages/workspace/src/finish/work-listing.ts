import type { GitOptions } from "../git/git.js";
import { requireGit } from "../git/require-git.js";
import { ENTRY_ARGS, parseEntries } from "../review/changed-entries.js";
import type { FinishPlan } from "./finish-plan.js";

const MOST_COMMITS = 100;

/** The commits in one revision and not in the other, newest first. */
export async function commitsBetween(
  git: GitOptions,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Pick<FinishPlan, "commits" | "commit_count">> {
  const range = `${from}..${to}`;
  const listed = await requireGit(["log", `--max-count=${MOST_COMMITS}`, "-z", "--format=%H %s", range, "--"], git);
  const commits = listed
    .split("\0")
    .flatMap((line) => (line === "" ? [] : [{ id: line.slice(0, line.indexOf(" ")), subject: line.slice(line.indexOf(" ") + 1) }]));
  if (commits.length < MOST_COMMITS) return { commits, commit_count: commits.length };
  return { commits, commit_count: Number(await requireGit(["rev-list", "--count", range], git)) };
}

export async function totalBetween(
  git: GitOptions,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<FinishPlan["total"]> {
  const entries = parseEntries(await requireGit(["diff-tree", ...ENTRY_ARGS, from, to], { ...git, encoding: "latin1" }));
  const sum = (counts: readonly (number | null)[]) => counts.reduce<number>((all, each) => all + (each ?? 0), 0);
  return { files: entries.length, added: sum(entries.map(({ added }) => added)), removed: sum(entries.map(({ removed }) => removed)) };
}
