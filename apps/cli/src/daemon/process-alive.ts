import { readFileSync } from "node:fs";

/** Whether a process with this id runs, including other users'. A zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ESRCH") return false;
    if (code !== "EPERM") throw error;
  }
  return !isZombie(pid);
}

/** Without `/proc`, a zombie cannot be recognized. */
function isZombie(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
