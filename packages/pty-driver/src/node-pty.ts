import { createRequire } from "node:module";
import { TmpmError } from "@tmpm/core";

/** The path of node-pty's main module, for a process that loads it. Located here without loading it. @throws HOST_UNAVAILABLE */
export function findNodePty(from: string = import.meta.url): string {
  try {
    return createRequire(from).resolve("node-pty");
  } catch (error) {
    throw new TmpmError("HOST_UNAVAILABLE", "node-pty is not installed, so PTYs are unavailable", {
      hint: "Install it (`npm install node-pty@1.2.0-beta.15`), or install tmux.",
      details: { host: "pty" },
      cause: error,
    });
  }
}

/** Loads it in this process, to check that it works on this machine. @throws HOST_UNAVAILABLE */
export async function probeNodePty(path: string): Promise<void> {
  try {
    createRequire(path)(path);
  } catch (error) {
    throw new TmpmError("HOST_UNAVAILABLE", `node-pty cannot be loaded on this machine: ${firstLine(error)}`, {
      hint: "Reinstall it on this machine, or install tmux.",
      details: { host: "pty" },
      cause: error,
    });
  }
}

/** Node appends the list of requiring files to the message. */
function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1).join();
}
