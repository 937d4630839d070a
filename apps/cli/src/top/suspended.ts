import { setTimeout as sleep } from "node:timers/promises";

/** Time within which a signal to oneself arrives; while stopped, no time passes. */
const ARRIVES_MS = 50;

/** Stops this process group, as the terminal's suspend key does, and returns when the shell continues it. */
export async function suspended(): Promise<void> {
  const own = process.listeners("SIGTSTP");
  process.removeAllListeners("SIGTSTP");
  try {
    process.kill(0, "SIGTSTP");
    await sleep(ARRIVES_MS);
  } finally {
    for (const listener of own) process.on("SIGTSTP", listener);
  }
}
