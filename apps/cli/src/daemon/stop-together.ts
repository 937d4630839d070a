import { readFileSync } from "node:fs";
import { hasErrno } from "@tmpm/core/errno";

const LOOK_MS = 250;

/**
 * Stops this process whenever the child has stopped itself, as tmux does on its suspend key, so that the shell takes the terminal back; and
 * continues the child when the shell continues this process. Node hears of a child's end only, so it looks (Linux; nothing elsewhere).
 * Returns how to end that.
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
    // The state follows the program's name, which is in parentheses and may hold any character.
    return /^T/.test(readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\) /s, ""));
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ESRCH")) return false;
    throw error;
  }
}
