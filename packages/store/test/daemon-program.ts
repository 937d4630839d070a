/**
 * A process that takes and releases the daemon's lock on request: `acquire DIR [FLOCK]` or `release` on its input, one line of output for
 * each.
 */
import { hasCode } from "@tmpm/core";
import { acquireDaemonLock, type DaemonLock } from "../src/locks/daemon-lock.js";
import { linesOf } from "./lines.js";

let lock: DaemonLock | null = null;

function acquire(dir: string, flock: string | undefined): unknown {
  try {
    lock = acquireDaemonLock({ dir, ...(flock === undefined ? {} : { flock }) });
    return { won: lock.holder.pid };
  } catch (error) {
    if (hasCode(error, "DAEMON_RUNNING")) return { lost: error.details.pid };
    throw error;
  }
}

function release(): unknown {
  lock?.release();
  return "released";
}

for await (const line of linesOf(process.stdin)) {
  const [verb = "", dir = "", flock] = line.split(" ");
  process.stdout.write(`${JSON.stringify(verb === "acquire" ? acquire(dir, flock) : release())}\n`);
}
