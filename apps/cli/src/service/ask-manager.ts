import { execFile } from "node:child_process";
import { basename } from "node:path";
import { TmpmError } from "@tmpm/core";
import { findProgram } from "../system/programs.js";

type Env = Readonly<Record<string, string | undefined>>;

export interface Asked {
  readonly status: number;
  readonly stdout: string;
  /** The first line of its error output; empty without any. */
  readonly complaint: string;
}

export interface Manager {
  readonly program: "systemctl" | "launchctl" | "loginctl";
  readonly env: Env;
}

/** Above the six seconds that ending a daemon may take. */
const DEADLINE_MS = 30_000;

/** The program's result; a nonzero status when it is missing, times out, or refuses. */
export function askManager({ program, env }: Manager, args: readonly string[]): Promise<Asked> {
  const path = findProgram(program, env);
  if (path === null) return Promise.resolve({ status: 127, stdout: "", complaint: `${program} is not installed` });
  return new Promise((resolve) => {
    execFile(path, [...args], { env, timeout: DEADLINE_MS, killSignal: "SIGKILL" }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      const late = error?.killed === true ? `${program} did not answer within ${DEADLINE_MS / 1000} s` : "";
      resolve({ status, stdout: stdout.trim(), complaint: late || (stderr.trim().split("\n")[0] ?? "") });
    });
  });
}

/** The same for a command that must succeed. @throws LAUNCH_FAILED */
export async function commandManager(manager: Manager, args: readonly string[]): Promise<void> {
  const { status, complaint } = await askManager(manager, args);
  if (status === 0) return;
  throw new TmpmError("LAUNCH_FAILED", `${basename(manager.program)} ${args.join(" ")}: ${complaint || `status ${status}`}`, {
    effect: "unknown",
    hint: "`tmpm daemon logs` may show why; `tmpm daemon uninstall` removes the service.",
    details: { program: manager.program, status },
  });
}
