import { execa } from "execa";
import { killGroup } from "./kill-group.js";

export interface ProgramRun {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Time limit, in ms. */
  readonly timeoutMs: number;
  /** Standard input; empty without it. */
  readonly input?: string | undefined;
}

/** `refused`: the system did not start it; `code` is the system's, such as `ENOENT`, if it has one. */
export type ProgramEnd =
  | { readonly kind: "ended"; readonly status: number | null; readonly stdout: string; readonly stderr: string }
  | { readonly kind: "refused"; readonly code: string | null; readonly reason: string }
  | { readonly kind: "late" };

const MOST_BYTES = 16 * 1024 * 1024;

/** Runs a program in a process group of its own, which is killed at the time limit. Never rejects. */
export async function runProgram({ argv: [program, ...args], env, timeoutMs, input }: ProgramRun): Promise<ProgramEnd> {
  const running = execa(program, args, {
    cwd: "/",
    detached: true,
    env: { ...env },
    extendEnv: false,
    maxBuffer: MOST_BYTES,
    reject: false,
    stripFinalNewline: false,
    ...(input === undefined ? { stdin: "ignore" as const } : { input }),
  });
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    killGroup(running.pid);
    running.stdout.destroy();
    running.stderr.destroy();
  }, timeoutMs);
  const result = await running;
  clearTimeout(deadline);
  if (late) return { kind: "late" };
  if (running.pid === undefined)
    return { kind: "refused", code: result.code ?? null, reason: result.originalMessage ?? result.message ?? "" };
  return { kind: "ended", status: result.exitCode ?? null, stdout: result.stdout, stderr: result.stderr };
}
