import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** All command blocks of `docs/tour.md`, in order, as copied into a shell. */
export function tourScript(): string {
  const blocks = blocksOf(page("tour.md"));
  if (blocks.length < 9) throw new Error("docs/tour.md does not contain blocks of commands");
  return asScript(blocks);
}

/** The same for the section of another page. */
export function partScript(name: string, heading: string): string {
  const [, part = ""] = page(name).split(`\n## ${heading}\n`);
  const blocks = blocksOf(part.split("\n## ")[0] ?? "");
  if (blocks.length === 0) throw new Error(`docs/${name} has lost the commands below ${heading}`);
  return asScript(blocks);
}

const page = (name: string) => readFileSync(resolve(import.meta.dirname, "../docs", name), "utf8");
const blocksOf = (text: string) => Array.from(text.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = ""]) => block);
const asScript = (blocks: readonly string[]) => ["set -euo pipefail", ...blocks].join("\n");
