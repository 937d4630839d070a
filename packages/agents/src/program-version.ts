import { execFile } from "node:child_process";
import type { LaunchRequest } from "./adapter.js";

const DEADLINE_MS = 10_000;

export interface VersionOptions {
  readonly env: LaunchRequest["env"];
  readonly deadlineMs?: number;
}

/** The first version number that `PROGRAM --version` prints; null when it fails, prints none, or takes longer than the deadline (10 s). */
export function programVersion(path: string, { env, deadlineMs = DEADLINE_MS }: VersionOptions): Promise<string | null> {
  const options = { env: { ...env }, timeout: deadlineMs, killSignal: "SIGKILL", maxBuffer: 64 * 1024, cwd: "/" } as const;
  return new Promise((resolve) => {
    const child = execFile(path, ["--version"], options, (error, stdout) => {
      resolve(error === null ? (/\d+(?:\.\d+)+[\w.-]*/.exec(stdout)?.[0] ?? null) : null);
    });
    child.stdin?.end();
  });
}
