import { platform } from "node:os";
import type { Context } from "../context.js";

type Env = Readonly<Record<string, string | undefined>>;

/** Properties of standard output. */
export interface TerminalView {
  /** Cells in a line; null for a pipe or a file, where nothing is truncated. */
  readonly columns: number | null;
  readonly colour: boolean;
  /** Whether it can show non-ASCII characters. */
  readonly unicode: boolean;
}

/** A pipe or a file, without requested colours. */
export const NO_TERMINAL: TerminalView = { columns: null, colour: false, unicode: true };

/**
 * `columns` is null if standard output is not a terminal. Colour settings in order of precedence: FORCE_COLOR, CLICOLOR_FORCE, NO_COLOR and CLICOLOR,
 * then the terminal's capabilities.
 */
export function terminalView(env: Env, columns: number | null): TerminalView {
  return { columns, colour: wantsColour(env, columns !== null), unicode: columns === null || isUnicodeTerminal(env) };
}

function wantsColour({ FORCE_COLOR = "", CLICOLOR_FORCE = "", NO_COLOR = "", CLICOLOR = "", TERM }: Env, isTerminal: boolean): boolean {
  if (FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  if (CLICOLOR_FORCE !== "" && CLICOLOR_FORCE !== "0") return true;
  return NO_COLOR === "" && CLICOLOR !== "0" && isTerminal && TERM !== "dumb";
}

/** Whether the locale uses UTF-8; without a locale, assumed on macOS only. */
function isUnicodeTerminal({ LC_ALL, LC_CTYPE, LANG }: Context["env"]): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  return locale === "" ? platform() === "darwin" : /utf-?8/i.test(locale);
}
