import type { GitOptions } from "./git.js";
import { requireGit } from "./require-git.js";

/** Scopes of configuration in a repository, writable by everyone who works in it. */
const OF_REPOSITORY = ["local", "worktree"];

/**
 * Settings that disable every filter program configured in the repository, which git would run when it converts files (checkout, status).
 * Filters of the user's own configuration, such as git-lfs, stay.
 */
export async function withoutRepositoryFilters(options: GitOptions): Promise<Readonly<Record<string, string>>> {
  const listed = await requireGit(["config", "--null", "--show-scope", "--name-only", "--get-regexp", "^filter\\."], {
    ...options,
    accept: [0, 1],
  });
  const fields = listed.split("\0");
  const drivers = new Set<string>();
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const name = /^filter\.(.*)\.[^.]+$/s.exec(fields[index + 1] ?? "")?.[1];
    if (name !== undefined && OF_REPOSITORY.includes(fields[index] ?? "")) drivers.add(name);
  }
  return Object.fromEntries(
    [...drivers].flatMap((name) => [
      [`filter.${name}.clean`, ""],
      [`filter.${name}.smudge`, ""],
      [`filter.${name}.process`, ""],
      [`filter.${name}.required`, "false"],
    ]),
  );
}
