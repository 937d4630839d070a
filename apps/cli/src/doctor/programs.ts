import { askVersion, findProgram, installHint, reaches } from "../system/programs.js";
import { fail, type LocalFinding, ok, type Place, warn } from "./local-finding.js";

/** Whether tmpm supports this Node version. */
export async function nodeVersion(version: string = process.versions.node): Promise<readonly LocalFinding[]> {
  if (reaches(version, "20.19") === true) return [ok("node", version)];
  return [fail("node", { message: `${version} is too old`, hint: "Install Node 20.19 or newer from https://nodejs.org." })];
}

export interface Needed {
  readonly name: "git" | "tmux";
  /** The arguments that print its version. */
  readonly flag: string;
  readonly minimum: string;
  /** The consequence of its absence; null if it is required. */
  readonly without: string | null;
}

/** Whether a program that tmpm runs is installed and recent enough. */
export async function programVersion({ env }: Place, { name, flag, minimum, without }: Needed): Promise<readonly LocalFinding[]> {
  const hint = installHint(name, minimum);
  const useless = (message: string) =>
    without === null ? [fail(name, { message, hint })] : [warn(name, { message: `${message}: ${without}`, hint })];
  const path = findProgram(name, env);
  if (path === null) return useless("not on your PATH");
  const version = await askVersion(path, flag);
  if (version === null) return useless(`${path} does not report its version`);
  const recent = reaches(version, minimum);
  if (recent === null) return [warn(name, { message: `${version}: a version that cannot be compared with ${minimum}`, hint: null })];
  return recent ? [ok(name, `${version} (${path})`)] : useless(`${version} is too old (${path})`);
}
