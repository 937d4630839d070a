export type FakeEnd = { readonly status: number } | { readonly signal: number };

export interface FakeTerminal {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
  setTitle(title: string): void;
  /** Requests bracketed pastes, between `ESC [200~` and `ESC [201~`. */
  bracketedPaste(on: boolean): void;
  /** Reads whole lines, like `cat`: a line that is too long cannot be pasted. */
  lineMode(on: boolean): void;
  /** Another program, named by its command, is in the foreground; null ends that. */
  foreground(command: string | null): void;
  /** Runs the task after virtual time; returns a function that cancels it. Nothing runs after the end. */
  after(ms: number, task: () => void): () => void;
  exit(end: FakeEnd): void;
}

/** A fake program's reactions to input; missing ones do nothing, except that a signal ends it. */
export interface FakeProcess {
  /** The bytes of pastes and keys, as text: Enter is `\r`. */
  input?(text: string): void;
  /** `stays` at SIGKILL makes a survivor. */
  signal?(name: "SIGHUP" | "SIGKILL"): "ends" | "stays";
}

/** Called when a session starts with this program. */
export type FakeProgram = (terminal: FakeTerminal) => FakeProcess | undefined;

/** Ignores all input and keeps running. */
export const waitingProgram: FakeProgram = () => undefined;

/** Ends at once. */
export function exitingProgram(status: number, output = ""): FakeProgram {
  return (terminal) => {
    terminal.write(output);
    terminal.exit({ status });
    return undefined;
  };
}
