import { askVersion, findProgram, installHint, reaches } from "../programs.js";
import { fail, type LocalFinding, ok, type Place, warn } from "./local-finding.js";

export interface Needed {
  readonly name: "git" | "tmux";
  /** With which it tells its version. */
  readonly flag: string;
  readonly minimum: string;
  /** What is so without it; null for what nothing works without. */
  readonly without: string | null;
}

/** Whether a program that tmpm runs is there, and new enough. */
export async function programVersion({ env }: Place, { name, flag, minimum, without }: Needed): Promise<readonly LocalFinding[]> {
  const hint = installHint(name, minimum);
  const path = findProgram(name, env);
  if (path === null && without !== null) return [warn(name, { message: `not on your PATH: ${without}`, hint })];
  if (path === null) return [fail(name, { message: "not on your PATH", hint })];
  const version = await askVersion(path, flag);
  if (version === null) return [fail(name, { message: `${path} does not tell its version`, hint })];
  const recent = reaches(version, minimum);
  if (recent === null) return [warn(name, { message: `${version}: a version that cannot be compared with ${minimum}`, hint: null })];
  return [recent ? ok(name, `${version} (${path})`) : fail(name, { message: `${version} is too old (${path})`, hint })];
}
