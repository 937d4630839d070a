import { configuredPrograms, OF_REPOSITORY } from "./configured-programs.js";
import type { GitOptions } from "./git.js";

/**
 * Settings that disable every filter program configured in the repository, which git would run when it converts files (checkout, status).
 * Filters of the user's own configuration, such as git-lfs, remain.
 */
export async function withoutRepositoryFilters(options: GitOptions): Promise<Readonly<Record<string, string>>> {
  return (await filtersIn(options)).disabled;
}

/** Those settings, and whether the user's own configuration has a filter. */
export async function filtersIn(
  options: GitOptions,
): Promise<{ readonly disabled: Readonly<Record<string, string>>; readonly users: boolean }> {
  const found = await configuredPrograms(options, "filter");
  const drivers = new Set(found.flatMap(({ scope, name }) => (OF_REPOSITORY.includes(scope) ? [name] : [])));
  return { disabled: disabling(drivers), users: found.some(({ scope }) => !OF_REPOSITORY.includes(scope)) };
}

function disabling(drivers: ReadonlySet<string>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...drivers].flatMap((name) => [
      [`filter.${name}.clean`, ""],
      [`filter.${name}.smudge`, ""],
      [`filter.${name}.process`, ""],
      [`filter.${name}.required`, "false"],
    ]),
  );
}
