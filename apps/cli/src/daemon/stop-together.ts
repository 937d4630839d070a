import { readFileSync } from "node:fs";
import { hasErrno } from "@tmpm/core/errno";

const LOOK_MS = 250;

/**
 * Stops this process whenever the child stops itself, as tmux does on its suspend key, so that the shell regains the terminal; and
 * continues the child when the shell continues this process. Node only reports a child's end, so this polls (Linux only).
 * Returns the function that ends it.
 */
export function stopTogether(child: number): () => void {
  const timer = setInterval(() => {
    if (!isStopped(child)) return;
    process.kill(process.pid, "SIGSTOP");
    process.kill(child, "SIGCONT");
  }, LOOK_MS);
  return () => clearInterval(timer);
}

function isStopped(pid: number): boolean {
  try {
    // The state follows the program's name, which is parenthesized and may contain any character.
    return /^T/.test(readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\) /s, ""));
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ESRCH")) return false;
    throw error;
  }
}
