import { fileURLToPath } from "node:url";

/** A program that is built with the daemon and runs in a separate process. */
export type Program = "pty-holder" | "pty-attach" | "sdk-holder";

/** Its location in the built daemon, whose own file is `main.js`. */
export function programPath(name: Program): string {
  return fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
}
