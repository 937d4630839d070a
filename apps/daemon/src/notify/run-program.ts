import { spawn } from "node:child_process";
import { hasErrno, TmpmError } from "@tmpm/core";
import { begun } from "@tmpm/processes";

export interface RunProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const KEPT = 2_000;

/** Runs a program to its end, directly and never through a shell; the rest of its process group ends with it. @throws NOTIFY_FAILED unless it ends with 0 in time */
export async function runProgram([program = "", ...args]: readonly string[], options: RunProgramOptions): Promise<void> {
  const { env, input = "", timeoutMs, signal } = options;
  const spawned = begun(() => spawn(program, args, { env, cwd: "/", detached: true, stdio: ["pipe", "ignore", "pipe"] }));
  const child = await spawned.catch((error: unknown) => {
    throw new TmpmError("NOTIFY_FAILED", `${program} could not be run: ${error instanceof Error ? error.message : String(error)}`);
  });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    let why: string | null = null;
    const end = (reason: string) => {
      why ??= reason;
      endGroup(child.pid);
    };
    const timer = setTimeout(() => end(`did not end within ${timeoutMs / 1000} s`), timeoutMs);
    const stop = () => end("was ended with the daemon");
    signal.addEventListener("abort", stop, { once: true });
    const settle = (failure: string | null) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      endGroup(child.pid);
      if (failure === null) resolve();
      else reject(new TmpmError("NOTIFY_FAILED", `${program} ${failure}${lastLine(said)}`, { effect: "unknown" }));
    };
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      said = (said + part).slice(-KEPT);
    });
    // A program may ignore its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.on("exit", (code, by) => settle(why ?? (code === 0 ? null : code === null ? `was ended by ${by}` : `ended with status ${code}`)));
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!hasErrno(error, "ESRCH", "EPERM")) throw error;
  }
}

function lastLine(said: string): string {
  const line = said.trimEnd().split("\n").at(-1) ?? "";
  return line === "" ? "" : `: ${line.slice(0, 200)}`;
}
