import { lstatSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { performance } from "node:perf_hooks";
import { shortageOf } from "@tmpm/core";
import { signalProcess, until } from "@tmpm/processes";
import { type ObserveContext, type ServerProcess, serverEnded } from "./server-context.js";

/** A server that ends removes its socket first. */
const ENDING_MS = 2000;
const MAKES_MS = 2000;

export interface SocketKeeper {
  /** Makes the server recreate its socket once it has been missing for a while; a failure is retried at the next look. */
  look(): Promise<void>;
  /** Creates the socket's folder, which tmux does only for its own folder. */
  prepare(): void;
  /** At once; false on failure. @throws for lack of files or memory */
  regain(server: ServerProcess): Promise<boolean>;
}

/**
 * Keeps the server that answered last reachable when its socket or folder was removed: SIGUSR1 makes tmux recreate the socket (tmux(1)).
 */
export function socketKeeper(context: Pick<ObserveContext, "socket" | "known" | "processes">): SocketKeeper {
  const { socket, known, processes } = context;
  let missingSince: number | null = null;
  let regaining: Promise<boolean> | null = null;

  const prepare = () => void mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });

  function isPrepared(): boolean {
    try {
      prepare();
      return true;
    } catch (error) {
      if (error instanceof Error && "syscall" in error) return false;
      throw error;
    }
  }

  async function regainOnce({ pid }: ServerProcess): Promise<boolean> {
    if (!isPrepared()) return false;
    // The signal ends any other program.
    if (!/tmux/.test((await processes.some([pid])).get(pid)?.command ?? "")) return false;
    if (!signalProcess(pid, "SIGUSR1")) return false;
    return until(async () => !isMissing(socket), { withinMs: MAKES_MS, everyMs: 10 });
  }

  const regain = (server: ServerProcess) => {
    regaining ??= regainOnce(server).finally(() => {
      regaining = null;
      missingSince = null;
    });
    return regaining;
  };

  return {
    prepare,
    regain,
    async look() {
      if (!isMissing(socket)) {
        missingSince = null;
        return;
      }
      missingSince ??= performance.now();
      if (performance.now() - missingSince < ENDING_MS) return;
      const server = known.last();
      try {
        if (server !== null && !(await serverEnded(context, server))) await regain(server);
      } catch (error) {
        if (shortageOf(error) === null) throw error;
      }
    },
  };
}

/** tmux reports whatever prevents the check. */
export function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
