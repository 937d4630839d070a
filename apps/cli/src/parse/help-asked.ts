import { COMMANDS } from "../commands.js";

/** Maximum width of help lines except examples; narrower terminals use their own width. */
export const HELP_COLUMNS = 80;

const FLAGS = new Set(["--help", "-h"]);

/** The verb, if the command line asks only for its help; "" for the program's help; null otherwise. */
export function helpAsked(argv: readonly string[]): string | null {
  const [first = "", second = ""] = argv;
  if (argv.length === 1) return FLAGS.has(first) || first === "help" ? "" : null;
  if (argv.length !== 2) return null;
  const verb = FLAGS.has(second) ? first : first === "help" ? second : "";
  return COMMANDS.has(verb) ? verb : null;
}
