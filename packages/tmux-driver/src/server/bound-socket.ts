import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { hasErrno } from "@tmpm/core";
import type { ProcessTable } from "@tmpm/processes";

export interface BoundSocketQuery {
  readonly socket: string;
  readonly processes: Pick<ProcessTable, "all">;
  readonly platform?: NodeJS.Platform;
}

/**
 * Whether a tmux process may be bound to the socket, whose file may be gone. Linux lists the sockets of each network namespace; elsewhere any
 * tmux process may be.
 */
export async function mayBeBound({ socket, processes, platform = process.platform }: BoundSocketQuery): Promise<boolean> {
  const running = (await processes.all()).filter(({ command, zombie }) => !zombie && /tmux/.test(command));
  if (platform !== "linux") return running.length > 0;
  const wanted = resolved(socket);
  return running.some(({ pid }) => boundPaths(pid)?.some((path) => isSame(path, wanted)) ?? true);
}

/** A server started with a relative path has bound that. */
function isSame(path: string, wanted: string): boolean {
  if (basename(path) !== basename(wanted)) return false;
  return !path.startsWith("/") || resolved(path) === wanted;
}

/** tmux resolves the folder of its sockets. */
function resolved(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch (error) {
    if (!hasErrno(error, "ENOENT", "ENOTDIR", "EACCES")) throw error;
    return join(resolved(dirname(path)), basename(path));
  }
}

/** In the network namespace of this process (proc(5)); empty once it is gone, null when unreadable. */
function boundPaths(pid: number): readonly string[] | null {
  try {
    const rows = readFileSync(`/proc/${pid}/net/unix`, "utf8").split("\n");
    return rows.flatMap((row) => /^\S+: (?:\S+ +){6}(.+)$/.exec(row)?.[1] ?? []);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ESRCH", "EINVAL")) return [];
    if (hasErrno(error, "EACCES", "EPERM")) return null;
    throw error;
  }
}
