import { wrapped } from "../render/wrapped.js";

/** An example command line of the help, optionally with its effect. */
export interface Example {
  readonly line: string;
  readonly does: string | null;
}

export interface HelpParts {
  readonly prose: string;
  readonly examples: readonly Example[];
}

/** A command's `more` text: lines that begin with two spaces are examples, with their effect after three more; the rest is prose. */
export function helpParts(more: string | undefined): HelpParts {
  const lines = (more ?? "").split("\n");
  const prose = lines.filter((line) => !line.startsWith("  ") && line !== "Examples:").join("\n");
  return { prose: prose.trim(), examples: lines.filter((line) => line.startsWith("  ")).map(exampleOf) };
}

/** The text below the options, wrapped to a width in cells; examples are never wrapped. */
export function helpBelow(more: string | undefined, columns: number): string {
  const { prose, examples } = helpParts(more);
  const paragraphs =
    prose === "" ? [] : prose.split(/\n{2,}/).map((text) => wrapped(text.replaceAll("\n", " "), { cells: columns, hang: 0 }).join("\n"));
  const width = Math.max(...examples.filter(({ does }) => does !== null).map(({ line }) => line.length));
  const lines = examples.flatMap(({ line, does }) => {
    if (does === null) return [`  ${line}`];
    const beside = `  ${line.padEnd(width)}   ${does}`;
    return beside.length <= columns ? [beside] : [`  ${line}`, ...wrapped(`      ${does}`, { cells: columns, hang: 6 })];
  });
  return [...paragraphs.flatMap((text) => ["", text]), ...(lines.length === 0 ? [] : ["", "Examples:", ...lines])].join("\n");
}

function exampleOf(text: string): Example {
  const [line = "", does = null] = text.trim().split(/ {3,}/, 2);
  return { line, does };
}
