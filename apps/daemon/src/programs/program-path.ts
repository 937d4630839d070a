import { fileURLToPath } from "node:url";

/** A program that is built beside the daemon's, to run in a process of its own. */
export type Program = "pty-holder" | "pty-attach" | "sdk-holder";

/** Where it is once the daemon is built: its own file is `main.js` then. */
export function programPath(name: Program): string {
  return fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
}
