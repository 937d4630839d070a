import { type ConfiguredProgram, configuredPrograms, OF_REPOSITORY } from "./configured-programs.js";
import type { GitOptions } from "./git.js";

/** Git's own merge of texts. A driver that is unset or empty would be an error, or accept one side without a merge. */
const BUILT_IN = "git merge-file -q --marker-size=%L %A %O %B || exit 1";

/**
 * Settings that replace every merge driver configured in the repository, which git would run when both sides change a file, by the one of
 * that name in the user's own configuration, or by git's own merge.
 */
export async function withoutRepositoryMergeDrivers(options: GitOptions): Promise<Readonly<Record<string, string>>> {
  const drivers = (await configuredPrograms(options, "merge")).filter(({ key }) => key === "driver");
  const isRepositorys = ({ scope }: ConfiguredProgram) => OF_REPOSITORY.includes(scope);
  const users = new Map(drivers.flatMap((driver) => (isRepositorys(driver) ? [] : [[driver.name, driver.value] as const])));
  return Object.fromEntries(drivers.filter(isRepositorys).map(({ name }) => [`merge.${name}.driver`, users.get(name) ?? BUILT_IN]));
}
