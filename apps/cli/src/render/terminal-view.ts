import { isUnicodeTerminal } from "./unicode-terminal.js";

type Env = Readonly<Record<string, string | undefined>>;

/** How standard output shows text. */
export interface TerminalView {
  /** Cells in a line; null for a pipe or a file, where nothing is cut. */
  readonly columns: number | null;
  readonly colour: boolean;
  /** Whether it shows more than ASCII. */
  readonly unicode: boolean;
}

/** A pipe or a file, without colours that were asked for. */
export const NO_TERMINAL: TerminalView = { columns: null, colour: false, unicode: true };

/**
 * `columns` is null where standard output is not a terminal. FORCE_COLOR counts more than CLICOLOR_FORCE, that more than NO_COLOR and CLICOLOR, and all of
 * them more than what the terminal is.
 */
export function terminalView(env: Env, columns: number | null): TerminalView {
  return { columns, colour: wantsColour(env, columns !== null), unicode: columns === null || isUnicodeTerminal(env) };
}

function wantsColour({ FORCE_COLOR = "", CLICOLOR_FORCE = "", NO_COLOR = "", CLICOLOR = "", TERM }: Env, isTerminal: boolean): boolean {
  if (FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  if (CLICOLOR_FORCE !== "" && CLICOLOR_FORCE !== "0") return true;
  return NO_COLOR === "" && CLICOLOR !== "0" && isTerminal && TERM !== "dumb";
}
