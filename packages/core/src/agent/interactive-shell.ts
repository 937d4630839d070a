const SHELLS = new Set(["sh", "ash", "bash", "csh", "dash", "elvish", "fish", "ksh", "mksh", "nu", "tcsh", "xonsh", "yash", "zsh"]);

/** Options with no value and no script, such as `-l` and `--login`; `-c` and `-ic` run a command. */
const SWITCH = /^(?:-[abd-zA-Z]+|--(?:i|interactive|l|login|norc|noprofile|no-config|posix|private))$/;

/** Whether a program is an interactive shell: it is then treated as agent shell, no matter how it was given. */
export function isInteractiveShell([program = "", ...options]: readonly string[]): boolean {
  return SHELLS.has(program.slice(program.lastIndexOf("/") + 1)) && options.every((option) => SWITCH.test(option));
}
