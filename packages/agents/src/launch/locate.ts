import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";

export interface LocateOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The base of a relative program path; without it only absolute paths are found. */
  readonly cwd?: string;
}

/** The absolute path of an executable file, looked up as by `execvp` but never in a relative `PATH` entry; null without one. */
export async function locate(program: string, options: LocateOptions): Promise<string | null> {
  for (const candidate of candidates(program, options)) {
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
}

function candidates(program: string, { env, cwd }: LocateOptions): readonly string[] {
  if (program === "" || program.includes("\0")) return [];
  if (isAbsolute(program)) return [program];
  if (program.includes("/")) return cwd === undefined ? [] : [resolve(cwd, program)];
  const folders = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, program));
}

/** An inaccessible program cannot be started from there either. */
async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
