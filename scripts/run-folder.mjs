import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { passableFolder } from "./passable-folder.mjs";
import { endProcessesOf } from "./started-processes.mjs";

/**
 * The folder for all temporary files of a test run, removed at its end with every process that still uses it. A test that times out never reaches its
 * own clean-up, and its code still runs when the teardown of vitest does: only the exit of this process is late enough.
 */
export default function setup() {
  const folder = passableFolder(join(tmpdir(), "tmpm-run-"));
  process.env.TMPDIR = folder;
  process.on("exit", () => {
    endProcessesOf(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
}
