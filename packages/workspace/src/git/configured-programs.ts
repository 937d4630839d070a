import type { GitOptions } from "./git.js";
import { requireGit } from "./require-git.js";

/** Scopes of configuration in a repository, writable by everyone who works in it. */
export const OF_REPOSITORY: readonly string[] = ["local", "worktree"];

/** A setting such as `filter.NAME.smudge`. A later one overrides an earlier one. */
export interface ConfiguredProgram {
  readonly scope: string;
  readonly name: string;
  /** `smudge` and the like, in lower case. */
  readonly key: string;
  readonly value: string;
}

/** The named sections of a kind in every file of the configuration. @throws GIT_FAILED, PREREQUISITE_MISSING */
export async function configuredPrograms(options: GitOptions, kind: "filter" | "merge"): Promise<readonly ConfiguredProgram[]> {
  const listed = await requireGit(["config", "--null", "--show-scope", "--get-regexp", `^${kind}\\.`], { ...options, accept: [0, 1] });
  // `SCOPE<NUL>KEY<LF>VALUE<NUL>` of each; a key without a value has no LF.
  const fields = listed.split("\0");
  const programs: ConfiguredProgram[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [setting = "", ...value] = (fields[index + 1] ?? "").split("\n");
    const [, name, key] = /^[^.]+\.(.*)\.([^.]+)$/s.exec(setting) ?? [];
    if (name !== undefined && key !== undefined) programs.push({ scope: fields[index] ?? "", name, key, value: value.join("\n") });
  }
  return programs;
}
