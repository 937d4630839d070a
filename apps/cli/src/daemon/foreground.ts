import { spawn } from "node:child_process";
import { constants } from "node:os";
import { TmpmError } from "@tmpm/core";
import { hasErrno } from "@tmpm/core/errno";
import { stopTogether } from "./stop-together.js";

type Command = readonly [string, ...string[]];
type Env = Readonly<Record<string, string | undefined>>;

export interface ForegroundOptions {
  readonly env: Env;
  /** Receives its standard error; by default the terminal's. */
  readonly errors?: (text: string) => void;
  /** What to do where the program is missing. */
  readonly hint?: string;
}

/** Runs a command in this terminal until it ends, with the terminal's keys, signals and job control. Returns its exit status. @throws PREREQUISITE_MISSING */
export function inForeground(command: Command, env: Env): Promise<number> {
  return inForegroundWith(command, { env });
}

export function inForegroundWith([program, ...args]: Command, { env, errors, hint }: ForegroundOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["inherit", "inherit", errors === undefined ? "inherit" : "pipe"], env });
    if (errors !== undefined) child.stderr?.setEncoding("utf8").on("data", errors);
    const endTogether = child.pid === undefined ? ignore : stopTogether(child.pid);
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    // The terminal sends these to both.
    process.on("SIGINT", ignore).on("SIGQUIT", ignore);
    process.on("SIGTERM", forward).on("SIGHUP", forward);
    const settle = (act: () => void) => {
      endTogether();
      process.off("SIGINT", ignore).off("SIGQUIT", ignore);
      process.off("SIGTERM", forward).off("SIGHUP", forward);
      act();
    };
    child.on("error", (error) => settle(() => reject(missing(error, { program, hint }))));
    child.on("close", (code, signal) => settle(() => resolve(code ?? (signal === null ? 1 : 128 + constants.signals[signal]))));
  });
}

function missing(error: unknown, { program, hint }: { readonly program: string; readonly hint: string | undefined }): unknown {
  if (!hasErrno(error, "ENOENT", "EACCES")) return error;
  const isSought = error.code === "ENOENT" && !program.includes("/");
  return new TmpmError("PREREQUISITE_MISSING", isSought ? `${program} is not on your PATH` : `${program} cannot be run (${error.code})`, {
    ...(hint === undefined ? {} : { hint }),
    details: { program },
    cause: error,
  });
}

function ignore(): void {}
