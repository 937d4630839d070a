/** A command line of the help, and what it does where that is said. */
export interface Example {
  readonly line: string;
  readonly does: string | null;
}

export interface HelpParts {
  readonly prose: string;
  readonly examples: readonly Example[];
}

/** What `more` of a command says: lines that begin with two spaces are examples, with what they do behind three more; the rest is prose. */
export function helpParts(more: string | undefined): HelpParts {
  const lines = (more ?? "").split("\n");
  const prose = lines.filter((line) => !line.startsWith("  ") && line !== "Examples:").join("\n");
  return { prose: prose.trim(), examples: lines.filter((line) => line.startsWith("  ")).map(exampleOf) };
}

/** As the help prints it below the options. */
export function helpBelow(more: string | undefined): string {
  const { prose, examples } = helpParts(more);
  const width = Math.max(...examples.filter(({ does }) => does !== null).map(({ line }) => line.length));
  const lines = examples.map(({ line, does }) => (does === null ? `  ${line}` : `  ${line.padEnd(width)}   ${does}`));
  return [...(prose === "" ? [] : ["", prose]), ...(lines.length === 0 ? [] : ["", "Examples:", ...lines])].join("\n");
}

function exampleOf(text: string): Example {
  const [line = "", does = null] = text.trim().split(/ {3,}/, 2);
  return { line, does };
}
