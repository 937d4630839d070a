import { readdirSync, readFileSync, statSync } from "node:fs";
import { hasErrno } from "@tmpm/core/errno";

/** A process of this user, as reported by `/proc`. */
export interface OwnProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its title. */
  readonly name: string;
  readonly args: readonly string[];
  /** Its initial environment. */
  readonly env: ReadonlyMap<string, string>;
}

/** Every process of the user; null where the system has no `/proc`. */
export function ownProcesses(uid: number): readonly OwnProcess[] | null {
  const pids = pidsIn("/proc");
  return pids === null ? null : pids.flatMap((pid) => lookAt(pid, uid) ?? []);
}

function pidsIn(folder: string): readonly number[] | null {
  const names = tolerant(() => readdirSync(folder));
  const pids = names?.filter((name) => /^\d+$/.test(name)).map(Number) ?? [];
  return pids.length === 0 ? null : pids;
}

/** Null for another user's process, or one that has ended. */
function lookAt(pid: number, uid: number): OwnProcess | null {
  return tolerant(() => {
    if (statSync(`/proc/${pid}`).uid !== uid) return null;
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const close = stat.lastIndexOf(")");
    const [state, parent] = stat.slice(close + 2).split(" ");
    if (state === "Z" || state === "X") return null;
    const words = (file: string) => readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0").slice(0, -1);
    const env = words("environ").map((pair): [string, string] => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
    return { pid, parent: Number(parent), name: stat.slice(stat.indexOf("(") + 1, close), args: words("cmdline"), env: new Map(env) };
  });
}

/** Null for a file that no longer exists, or is not readable. */
function tolerant<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return null;
    throw error;
  }
}
