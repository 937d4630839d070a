import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** All blocks of `docs/tour.md`, as a reader copies one after the other into a shell. */
export function tourScript(): string {
  const page = readFileSync(resolve(import.meta.dirname, "../docs/tour.md"), "utf8");
  const blocks = Array.from(page.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = ""]) => block);
  if (blocks.length < 9) throw new Error("docs/tour.md has lost its blocks of commands");
  return ["set -euo pipefail", ...blocks].join("\n");
}
