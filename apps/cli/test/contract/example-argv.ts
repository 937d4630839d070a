import { helpParts } from "../../src/parse/help-parts.js";

/** The words that a shell passes to tmpm for an example of its help; null for a line that does not call it. */
export function exampleArgv(line: string): readonly string[] | null {
  const words = shellWords(line);
  const start = words.indexOf("tmpm");
  if (start < 0) return null;
  const end = words.findIndex((word, index) => index > start && (word === "|" || word === ">"));
  return words.slice(start + 1, end < 0 ? words.length : end);
}

/** The examples of a command's help. */
export function examplesOf(more: string | undefined): readonly string[] {
  return helpParts(more).examples.map(({ line }) => line);
}

/** Parses quoted and unquoted words, but no other shell syntax. */
function shellWords(line: string): string[] {
  return Array.from(line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g), ([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
