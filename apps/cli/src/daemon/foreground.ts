import { spawn } from "node:child_process";
import { constants } from "node:os";
import { stopTogether } from "./stop-together.js";

/** Runs a command in this terminal until it ends: it gets the keys, the signals and the stops. Returns its exit status. */
export function inForeground(command: readonly [string, ...string[]], env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const [program, ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit", env });
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
    child.on("error", (error) => settle(() => reject(error)));
    child.on("close", (code, signal) => settle(() => resolve(code ?? (signal === null ? 1 : 128 + constants.signals[signal]))));
  });
}

function ignore(): void {}
