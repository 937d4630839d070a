import { TmpmError } from "@tmpm/core";
import { execa } from "execa";
import { spawnError } from "../failure.js";
import type { ClientOptions } from "../one-shot/client.js";

export interface TmuxProgram {
  /**
   * The output of `tmux -V`. An upgrade replaces the program under a running server, so it is queried again after a minute. @throws
   * TMUX_NOT_FOUND
   */
  version(): Promise<string>;
}

const VALID_MS = 60_000;

export function tmuxProgram({ program, env, monotonic }: Pick<ClientOptions, "program" | "env" | "monotonic">): TmuxProgram {
  let known: { readonly version: Promise<string>; readonly at: number } | null = null;
  return {
    version() {
      if (known !== null && monotonic() - known.at < VALID_MS) return known.version;
      const version = askVersion(program, env);
      known = { version, at: monotonic() };
      version.catch(() => {
        known = null;
      });
      return version;
    },
  };
}

async function askVersion(program: string, env: Readonly<Record<string, string>>): Promise<string> {
  const result = await execa(program, ["-V"], { env, extendEnv: false, reject: false, timeout: 10_000, killSignal: "SIGKILL" });
  if (result.exitCode === undefined) throw spawnError(result.code ?? "unknown", program);
  const version = /^tmux (\S+)$/.exec(result.stdout.trim())?.[1];
  if (version === undefined) throw new TmpmError("TMUX_NOT_FOUND", `${program} is not tmux`);
  return version;
}
