import { TmpmError, visibleText } from "@tmpm/core";
import { markingScript } from "@tmpm/processes";
import type { CreateSpec } from "../driver.js";

export type Launch = Pick<CreateSpec, "sessionId" | "cwd" | "argv" | "env">;

/** Names that a POSIX shell keeps to itself: setting one ends the script. */
const READ_ONLY = new Set(["PPID", "UID", "EUID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO"]);

/** What the name of a script's claim ends with. */
export const CLAIM = ".ran";

/** tmux can lose what a program prints in the last moment before it ends. */
const LINGER = "sleep 0.2";

/**
 * What a pane's `/bin/sh` runs: it claims and empties its own file, then becomes the program. A shell makes a file that must not exist (`set -C`) without
 * starting a process, as removing one would. In braces, since a shell reads the whole of them before it runs any.
 * @throws INVALID_ARGUMENT for what a shell cannot set or run exactly
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
