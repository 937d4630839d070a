import { TmpmError } from "@tmpm/core";
import { runProgram } from "@tmpm/processes";
import { spawnError, unresponsive } from "../failure.js";
import type { ClientOptions } from "../one-shot/client.js";

export interface TmuxProgram {
  /**
   * The output of `tmux -V`. An upgrade replaces the program under a running server, so it is queried again after a minute. @throws
   * TMUX_NOT_FOUND, RESOURCE_EXHAUSTED, TMUX_UNRESPONSIVE
   */
  version(): Promise<string>;
}

const VALID_MS = 60_000;
const ANSWER_MS = 10_000;

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
  const end = await runProgram({ argv: [program, "-V"], env, withinMs: ANSWER_MS });
  if (end.kind === "refused") throw spawnError(end.error.code, program);
  if (end.kind === "late") throw unresponsive(`${program} -V did not answer within ${ANSWER_MS} ms`, "none");
  const version = /^tmux (\S+)$/.exec(end.stdout.trim())?.[1];
  if (version === undefined) throw new TmpmError("TMUX_NOT_FOUND", `${program} is not tmux`);
  return version;
}
