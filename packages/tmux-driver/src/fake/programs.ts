import { exitingProgram, type FakeProgram, type FakeTerminal, waitingProgram } from "./fake-program.js";
import { shellProgram } from "./shell-program.js";

export type FakePrograms = Readonly<Record<string, FakeProgram>>;

/** Default programs, by base name. */
export const DEFAULT_PROGRAMS: FakePrograms = {
  ...Object.fromEntries(["sh", "bash", "dash", "zsh", "fish", "ksh"].map((name) => [name, shellProgram])),
  cat: catProgram,
  sleep: sleepProgram,
  true: exitingProgram(0),
  false: exitingProgram(1),
  tail: waitingProgram,
};

/** The program for an argv; an unregistered name exits with 127, as in a shell. */
export function programFor(argv: readonly string[], programs: FakePrograms): FakeProgram {
  const name = (argv[0] ?? "").split("/").at(-1) ?? "";
  return programs[argv[0] ?? ""] ?? programs[name] ?? exitingProgram(127, `sh: exec: ${name}: not found\n`);
}

/** Echoes typed text, and prints each complete line again. */
function catProgram(terminal: FakeTerminal) {
  let line = "";
  terminal.lineMode(true);
  return {
    input(text: string) {
      for (const character of text) {
        if (character === "\u0004" && line === "") return terminal.exit({ status: 0 });
        if (character === "\u0003") return terminal.exit({ signal: 2 });
        if (character === "\r" || character === "\n") {
          terminal.write(`\n${line}\n`);
          line = "";
        } else {
          line += character;
          terminal.write(character);
        }
      }
    },
  };
}

function sleepProgram(terminal: FakeTerminal) {
  terminal.after(Number(terminal.argv[1] ?? 0) * 1000, () => terminal.exit({ status: 0 }));
  return undefined;
}
