import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

export interface TerminalType {
  readonly term: string;
  /** Why it differs from `TERM`; null if it does not. */
  readonly note: string | null;
}

/**
 * The type to attach with: the terminal's own, or one described on this machine. New terminals use types that few machines know (`xterm-ghostty`,
 * `xterm-kitty`).
 */
export function terminalType(env: Env): TerminalType {
  const { TERM: own = "" } = env;
  if (own === "") return { term: "xterm", note: null };
  const folders = foldersOf(env).filter((folder) => existsSync(folder));
  const isKnown = (term: string) => folders.some((folder) => isDescribed(term, folder));
  // Some systems keep descriptions in a database instead of folders; tmux looks them up itself.
  if (folders.length === 0 || isKnown(own)) return { term: own, note: null };
  const term = ["xterm-256color", "xterm", "screen"].find(isKnown);
  if (term === undefined) return { term: own, note: null };
  const cure = `install its description, as with \`infocmp -x ${own} | ssh HOST tic -x -\` from a machine that has it`;
  return { term, note: `this machine has no description of the terminal type ${own}, so ${term} is used; ${cure}` };
}

/** The folders that ncurses searches, in its order (terminfo(5)). */
function foldersOf({ TERMINFO, TERMINFO_DIRS = "", HOME = homedir() }: Env): readonly string[] {
  const named = TERMINFO_DIRS.split(":").filter((folder) => folder !== "");
  const usual = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo", "/usr/share/misc/terminfo"];
  return [...(TERMINFO ? [TERMINFO] : []), join(HOME, ".terminfo"), ...named, ...usual];
}

/** A folder per first letter, or per its code on systems that ignore case. */
function isDescribed(term: string, folder: string): boolean {
  const code = term.charCodeAt(0).toString(16);
  return !term.includes("/") && [term.charAt(0), code].some((first) => existsSync(join(folder, first, term)));
}
