/** How a pretended program ends. */
export type FakeEnd = { readonly status: number } | { readonly signal: number };

/** The terminal that a pretended program runs in. */
export interface FakeTerminal {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
  setTitle(title: string): void;
  /** Asks for pasted text to come between `ESC [200~` and `ESC [201~`. */
  bracketedPaste(on: boolean): void;
  /** Reads whole lines, as `cat` does: a line that is too long cannot be pasted. */
  lineMode(on: boolean): void;
  /** Another program, named by its command, has the terminal; null gives it back. */
  foreground(command: string | null): void;
  /** Runs the task when virtual time has passed; returns what cancels it. Nothing runs after the end. */
  after(ms: number, task: () => void): () => void;
  exit(end: FakeEnd): void;
}

/** What a pretended program does with what it is given; what is left out is ignored, but a signal ends it. */
export interface FakeProcess {
  /** The bytes of pastes and keys, as text: Enter is `\r`. */
  input?(text: string): void;
  /** `stays` at SIGKILL makes a survivor. */
  signal?(name: "SIGHUP" | "SIGKILL"): "ends" | "stays";
}

/** Called when a session starts with this program. */
export type FakeProgram = (terminal: FakeTerminal) => FakeProcess | undefined;

/** Runs whatever comes, and does nothing. */
export const waitingProgram: FakeProgram = () => undefined;

/** Ends at once. */
export function exitingProgram(status: number, output = ""): FakeProgram {
  return (terminal) => {
    terminal.write(output);
    terminal.exit({ status });
    return undefined;
  };
}
