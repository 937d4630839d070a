import { spawn } from "node:child_process";
import { constants } from "node:os";
import { isatty } from "node:tty";
import { TmpmError } from "@tmpm/core";
import type { Context } from "./context.js";
import { usageError } from "./usage-error.js";

/** @throws INVALID_ARGUMENT when standard input or output is no terminal */
export function requireTerminal(): void {
  if (isatty(0) && isatty(1)) return;
  throw usageError("attaching needs a terminal", "Run it in a terminal; `tmpm capture SESSION` prints the screen once.");
}

/** Runs the command that attaches until it is detached or the session ends. Returns its exit status. */
export function runInTerminal([program = "tmux", ...args]: readonly string[], env: Context["env"]): Promise<number> {
  if (env.TMUX !== undefined) {
    process.stderr.write("tmpm: this is tmux inside tmux; to detach the inner one, press your prefix key twice, then d\n");
  }
  // A terminal always has a type; `xterm` is described everywhere.
  const { TMUX: _, TMUX_PANE: __, TERM = "xterm", ...rest } = env;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit", env: { ...rest, TERM } });
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    const ignore = () => {};
    process.on("SIGINT", ignore).on("SIGQUIT", ignore).on("SIGTERM", forward).on("SIGHUP", forward);
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") reject(error);
      else reject(new TmpmError("TMUX_NOT_FOUND", `${program} is not on your PATH`, { cause: error }));
    });
    child.on("close", (code, signal) => {
      process.off("SIGINT", ignore).off("SIGQUIT", ignore).off("SIGTERM", forward).off("SIGHUP", forward);
      resolve(code ?? (signal === null ? 1 : 128 + constants.signals[signal]));
    });
  });
}
