import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDir } from "../fixtures/temporary-dir.js";

const FILES = ["task.md", "screenshot.png"];

/** The profile used by an example. */
export const EXAMPLE_CONFIG = "profiles:\n  careful:\n    agent: claude\n";

/** A folder with the files used by the examples of the help. */
export function exampleHome() {
  const dir = temporaryDir();
  for (const name of FILES) writeFileSync(join(dir.path, name), "x");
  writeFileSync(join(dir.path, "config.yaml"), EXAMPLE_CONFIG);
  return {
    config: join(dir.path, "config.yaml"),
    /** The same words, with the paths of the existing files, and with `~` expanded. */
    placed: (argv: readonly string[]) =>
      argv.map((word) => (FILES.includes(word) ? join(dir.path, word) : word.replace(/^~(?=\/)/, dir.path))),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

/** The same command line for a process. */
export function withJson(argv: readonly string[]): string[] {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  return argv.toSpliced(end, 0, "--json");
}
