import type { FakeProcess, FakeProgram, FakeTerminal } from "./fake-program.js";
import { shellWords } from "./shell-words.js";

const PROMPT = "$ ";
const FRAME = /\u001b\[20[01]~/g;

/**
 * A small shell: echoes typed text, runs a few commands on Enter, and lets `sleep` hold the terminal until time advances. `-c SCRIPT` runs
 * a script.
 */
export const shellProgram: FakeProgram = (terminal) => {
  const shell = shellOf(terminal);
  const script = terminal.argv[1] === "-c" ? terminal.argv[2] : undefined;
  if (script !== undefined) {
    shell.run(script, (status) => terminal.exit({ status }));
    return { input: () => undefined };
  }
  terminal.bracketedPaste(true);
  return lineEditor(terminal, shell);
};

/** The commands of the fake shell. */
interface Shell {
  /** Runs a script and then reports the status of its last command, unless the shell ended meanwhile. */
  run(script: string, then: (status: number) => void): void;
  /** Ends the foreground command; false without one. */
  interrupt(): boolean;
}

function lineEditor(terminal: FakeTerminal, shell: Shell): FakeProcess {
  let line = "";
  let waiting = "";
  let busy = false;
  const type = (character: string) => {
    if (character === "\u007f") {
      if (line === "") return;
      line = [...line].slice(0, -1).join("");
      terminal.write("\b \b");
    } else {
      line += character;
      terminal.write(character);
    }
  };
  const enter = () => {
    const script = line;
    line = "";
    busy = true;
    terminal.write("\n");
    shell.run(script, ready);
  };
  const interrupt = () => {
    terminal.write("^C\n");
    line = "";
    if (!shell.interrupt()) terminal.write(PROMPT);
  };
  const ready = () => {
    busy = false;
    terminal.write(PROMPT);
    const typedAhead = waiting;
    waiting = "";
    read(typedAhead);
  };
  const read = (text: string) => {
    let framed = false;
    for (const [token] of text.matchAll(/\u001b\[20[01]~|./gsu)) {
      if (token.match(FRAME)) framed = token.endsWith("200~");
      else if (token === "\u0003") interrupt();
      else if (busy) waiting += token;
      else if (token === "\u0004" && line === "") terminal.exit({ status: 0 });
      else if (token === "\r" || (token === "\n" && !framed)) enter();
      else type(token);
    }
  };
  terminal.write(PROMPT);
  return { input: read };
}

function shellOf(terminal: FakeTerminal): Shell {
  const variables: Record<string, string> = { ...terminal.env };
  let status = 0;
  let interrupt: (() => void) | null = null;
  const sleep = (seconds: number, then: () => void) => {
    terminal.foreground("sleep");
    const cancel = terminal.after(seconds * 1000, () => end(0));
    const end = (code: number) => {
      cancel();
      interrupt = null;
      status = code;
      terminal.foreground(null);
      then();
    };
    interrupt = () => end(130);
  };
  const runOne = (words: readonly string[], then: () => void) => {
    const [command = "", ...args] = words;
    if (command === "sleep") return sleep(Number(args[0] ?? 0), then);
    if (command === "exit" || command === "exec") {
      return terminal.exit({ status: command === "exit" ? Number(args[0] ?? status) : 127 });
    }
    status = builtin(terminal, { command, args });
    then();
  };
  const runAll = (lines: readonly string[], then: (status: number) => void) => {
    const [first, ...rest] = lines;
    if (first === undefined) return then(status);
    const words = shellWords(first, { ...variables, "?": String(status) });
    runOne(words, () => runAll(rest, then));
  };
  return {
    run: (script, then) => runAll(script.split(/[;\n]/), then),
    interrupt() {
      const end = interrupt;
      end?.();
      return end !== null;
    },
  };
}

function builtin(terminal: FakeTerminal, { command, args }: { readonly command: string; readonly args: readonly string[] }): number {
  switch (command) {
    case "":
    case "true":
    case "cd":
      return 0;
    case "false":
      return 1;
    case "echo":
      terminal.write(`${args.join(" ")}\n`);
      return 0;
    case "pwd":
      terminal.write(`${terminal.cwd}\n`);
      return 0;
    case "clear":
      terminal.write("\u001b[2J\u001b[H");
      return 0;
    case "seq":
      for (let number = 1; number <= Number(args[0] ?? 0); number++) terminal.write(`${number}\n`);
      return 0;
    default:
      terminal.write(`sh: ${command}: not found\n`);
      return 127;
  }
}
