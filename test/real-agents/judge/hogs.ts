import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/** Keeps every core busy until it is disposed of. */
export function hogs(): Disposable {
  const busy = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  return {
    [Symbol.dispose]() {
      for (const each of busy) each.kill("SIGKILL");
    },
  };
}
