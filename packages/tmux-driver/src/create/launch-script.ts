import { TmpmError, visibleText } from "@tmpm/core";
import { markingScript } from "@tmpm/processes";
import type { CreateSpec } from "../driver.js";

export type Launch = Pick<CreateSpec, "sessionId" | "cwd" | "argv" | "env">;

/** Names that a POSIX shell reserves: setting one ends the script. */
const READ_ONLY = new Set(["PPID", "UID", "EUID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO"]);

/** Suffix of a script's claim. */
export const CLAIM = ".ran";

/** tmux can lose the last output of a program. */
const LINGER = "sleep 0.2";

/**
 * The script of a pane's `/bin/sh`: it claims and empties its own file, then becomes the program. A shell creates a new file exclusively
 * (`set -C`) without a process, which removing one would need. In braces, since a shell reads them completely before it runs any.
 * @throws INVALID_ARGUMENT for values that a shell cannot set or run exactly
 */
export function launchScript({ sessionId, cwd, argv, env }: Launch): string {
  if (argv[0] === "" || argv[0].startsWith("-")) throw invalid("argv", `${JSON.stringify(argv[0])} is not a program`);
  for (const text of [cwd, ...argv, ...Object.values(env)]) {
    if (text.includes("\0")) throw invalid("argv", "a NUL cannot be in a directory, an argument or the environment");
  }
  const exports = Object.entries(env).map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || READ_ONLY.has(name)) throw invalid("env", `${JSON.stringify(name)} cannot be set`);
    return `export ${name}=${shellQuoted(value)}`;
  });
  const lines = [
    "{",
    `set -C; true >"$0${CLAIM}" || exit 126`,
    'true >|"$0"',
    markingScript(sessionId),
    `cd -- ${shellQuoted(cwd)} || { ${LINGER}; exit 126; }`,
    ...exports,
    `command -v ${shellQuoted(argv[0])} >/dev/null || { echo ${shellQuoted(`${visibleText(argv[0])}: not found`)} >&2; ${LINGER}; exit 127; }`,
    `exec ${argv.map(shellQuoted).join(" ")}`,
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function invalid(field: string, message: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { details: { field } });
}
