import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** The system's default if `PATH` is not set. */
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** The first executable of that name on the path; null if there is none. */
export function findProgram(name: string, env: Env): string | null {
  const folders = (env.PATH ?? DEFAULT_PATH).split(delimiter).map((folder) => folder || ".");
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

export function installHint(program: string, version: string): string {
  return `Install ${program} ${version} or newer: apt install ${program}, dnf install ${program}, apk add ${program}, or brew install ${program}.`;
}

/** The program's version output; null if it does not answer. */
export function askVersion(path: string, flag: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(path, [flag], { timeout: 5000, killSignal: "SIGKILL" }, (error, stdout) => resolve(error === null ? stdout.trim() : null));
  });
}

/** Whether the version in a text like `tmux next-3.4`, `tmux 3.2a` or `git version 2.39.5` reaches a minimum; null if the text contains none. */
export function reaches(text: string, minimum: string): boolean | null {
  const have = partsOf(text);
  const least = partsOf(minimum);
  if (have === null || least === null) return null;
  const differing = have.findIndex((part, index) => part !== least[index]);
  return differing < 0 || (have[differing] ?? 0) > (least[differing] ?? 0);
}

/** A letter is the last component: `3.2 < 3.2a < 3.3`. */
function partsOf(text: string): readonly number[] | null {
  const found = /(\d+)\.(\d+)([a-z]?)/.exec(text);
  if (found === null) return null;
  const [, major, minor, letter = ""] = found;
  return [Number(major), Number(minor), letter === "" ? 0 : letter.charCodeAt(0)];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (error) {
    // An inaccessible file is not executable either.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
