import { execFile } from "node:child_process";
import type { LaunchRequest } from "../adapter.js";

const DEADLINE_MS = 10_000;

export interface VersionOptions {
  readonly env: LaunchRequest["env"];
  readonly deadlineMs?: number;
}

/** A number with dots and its suffix, without the full stop of a sentence. */
const VERSION = /\d+(?:\.\d+)+\w*(?:[-+.]\w+)*/;

/** The first version number that `PROGRAM --version` prints, on standard output or else on standard error; null when it fails, prints none, or takes longer than the deadline (10 s). */
export function programVersion(path: string, { env, deadlineMs = DEADLINE_MS }: VersionOptions): Promise<string | null> {
  const options = { env: { ...env }, timeout: deadlineMs, killSignal: "SIGKILL", maxBuffer: 64 * 1024, cwd: "/" } as const;
  return new Promise((resolve) => {
    const child = execFile(path, ["--version"], options, (error, stdout, stderr) => {
      const found = VERSION.exec(stdout) ?? VERSION.exec(stderr);
      resolve(error === null ? (found?.[0] ?? null) : null);
    });
    child.stdin?.end();
  });
}
