import { COMMANDS } from "../commands.js";
import type { Parsed } from "./commander-path.js";
import { parseFast } from "./fast-path.js";
import { HELP_COLUMNS, helpAsked } from "./help-asked.js";

export interface ParseOptions {
  readonly version: string;
  /** Width of the terminal on standard output in cells; null (default) without one. */
  readonly columns?: () => Promise<number | null>;
}

/** Parses a command line. Correct ones are parsed without commander. @throws INVALID_ARGUMENT */
export async function parse(argv: readonly string[], { version, columns = async () => null }: ParseOptions): Promise<Parsed> {
  const [verb, ...args] = argv;
  if (argv.length === 1 && (verb === "--version" || verb === "-V")) return { kind: "text", text: `${version}\n` };
  if (argv.every((word) => word === "--json")) {
    const { overview } = await import("../commands/overview.js");
    return { kind: "run", command: overview, raw: { positionals: [], rest: [], values: {} } };
  }
  const helpOf = helpAsked(argv);
  const helpColumns = helpOf === null ? HELP_COLUMNS : Math.min((await columns()) ?? HELP_COLUMNS, HELP_COLUMNS);
  if (helpOf !== null && helpColumns === HELP_COLUMNS) {
    const { HELP } = await import("./written-help.js");
    const text = HELP[helpOf];
    if (text !== undefined) return { kind: "text", text };
  }
  const command = verb === undefined || helpOf !== null ? undefined : await COMMANDS.get(verb)?.();
  const raw = command === undefined ? null : parseFast(command, args);
  if (command !== undefined && raw !== null) return { kind: "run", command, raw };
  const { parseWithCommander } = await import("./commander-path.js");
  const commands = await Promise.all(Array.from(COMMANDS.values(), (load) => load()));
  return parseWithCommander(argv, { commands, version, helpColumns });
}
