import type { CreateSpec, PaneInfo, TmuxDriver } from "../driver.js";

export type Argv = CreateSpec["argv"];

/** Programs for the cases, as argv. Each knows its session by `TMPM_SESSION_ID` in its environment. */
export interface ContractPrograms {
  /** Reads raw, shows only `ready`, and records every byte for `received`; requests bracketed pastes if asked to. */
  recorder(options: { readonly framed: boolean }): Argv;
  /** Prints the output and a line end, and exits with the status. */
  exit(options: { readonly status: number; readonly output: string }): Argv;
  /** Prints `line 1` to `line COUNT`, each with a line end, and waits. */
  lines(count: number): Argv;
  /** Prints each word, its directory and `CONTRACT_VALUE` of its environment, each between `<` and `>` on a line of its own, and waits. */
  report(words: readonly string[]): Argv;
  /** Shows `ready` and reads whole lines, like `cat`. */
  lineReader(): Argv;
  /** Ignores SIGHUP, as does its child, shows `ready` and waits. */
  stubborn(): Argv;
}

/** A driver on its own server, which is not running yet, with controls from outside. */
export interface ContractFixture {
  readonly driver: TmuxDriver;
  readonly programs: ContractPrograms;
  /** A word unique for the fixture: processes are found by their session id, wherever they run. */
  readonly unique: string;
  /** A driver of the same kind on the same server, with minimal deadlines. */
  readonly impatient: TmuxDriver;
  /** A directory that exists, with a space and `#{pid}` in its name. */
  readonly cwd: string;
  readonly missingDirectory: string;
  /** What the session's recorder has read so far, as text. */
  received(sessionId: string): Promise<string>;
  /** Number of running processes of the session. */
  running(pane: PaneInfo): Promise<number>;
  /** Turns copy mode on or off, like a user. */
  setMode(pane: PaneInfo, inMode: boolean): Promise<void>;
  /** Renames the tmux session, like a user. */
  rename(pane: PaneInfo, tmuxName: string): Promise<void>;
  /** Ends the server by force; the next create starts another. */
  endServer(): Promise<void>;
  /** Stops the running server (SIGSTOP), or continues it. */
  stopServer(): Promise<void>;
  continueServer(): Promise<void>;
  /** Starts a foreign session on the running server. */
  openForeign(tmuxName: string): Promise<void>;
  close(): Promise<void>;
}

export interface ContractOptions {
  /** The test runner's own function. */
  readonly test: (title: string, run: () => Promise<void>) => void;
  readonly open: () => Promise<ContractFixture>;
}

/** Declares one case, with a fixture of its own. */
export type Declare = (title: string, run: (fixture: ContractFixture) => Promise<void>) => void;
