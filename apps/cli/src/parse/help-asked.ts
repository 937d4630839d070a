import { COMMANDS } from "../commands.js";

/** No line of the help is longer, unless it is an example; in a narrower terminal lines are as long as it has room for. */
export const HELP_COLUMNS = 80;

const FLAGS = new Set(["--help", "-h"]);

/** The verb whose help is all that a command line asks for, "" for the program's; null when it asks for something else, or for more. */
export function helpAsked(argv: readonly string[]): string | null {
  const [first = "", second = ""] = argv;
  if (argv.length === 1) return FLAGS.has(first) || first === "help" ? "" : null;
  if (argv.length !== 2) return null;
  const verb = FLAGS.has(second) ? first : first === "help" ? second : "";
  return COMMANDS.has(verb) ? verb : null;
}
