import type { CreateSpec, PaneInfo, TmuxDriver } from "../driver.js";

export type Argv = CreateSpec["argv"];

/** The programs that the cases run, as argv. Each knows its session by `TMPM_SESSION_ID` in its environment. */
export interface ContractPrograms {
  /** Reads raw, shows `ready` and nothing else, and keeps every byte for `received`; asks for framed pastes on request. */
  recorder(options: { readonly framed: boolean }): Argv;
  /** Prints the output and a line end, and ends with the status. */
  exit(options: { readonly status: number; readonly output: string }): Argv;
  /** Prints `line 1` to `line COUNT`, each with a line end, and waits. */
  lines(count: number): Argv;
  /** Prints each word, its directory and `CONTRACT_VALUE` of its environment, each between `<` and `>` on a line of its own, and waits. */
  report(words: readonly string[]): Argv;
  /** Shows `ready` and reads whole lines, as `cat` does. */
  lineReader(): Argv;
  /** Ignores SIGHUP, has a child that does so too, shows `ready` and waits. */
  stubborn(): Argv;
}

/** A driver on a server of its own that does not run yet, and the outside of it. */
export interface ContractFixture {
  readonly driver: TmuxDriver;
  readonly programs: ContractPrograms;
  /** A word that no other fixture has: processes are found by their session id, wherever they run. */
  readonly unique: string;
  /** A driver of the same kind on the same server, whose deadlines are as short as can be. */
  readonly impatient: TmuxDriver;
  /** A directory that exists, with a space and `#{pid}` in its name. */
  readonly cwd: string;
  /** A directory that does not. */
  readonly missingDirectory: string;
  /** What the recorder of the session has read so far, as text. */
  received(sessionId: string): Promise<string>;
  /** How many of the session's processes run. */
  running(pane: PaneInfo): Promise<number>;
  /** Copy mode on or off, as by a person. */
  setMode(pane: PaneInfo, inMode: boolean): Promise<void>;
  /** Gives the tmux session another name, as a person may. */
  rename(pane: PaneInfo, tmuxName: string): Promise<void>;
  /** Ends the server by force; the next create starts another. */
  endServer(): Promise<void>;
  /** Lets the running server stop answering (SIGSTOP), and continue. */
  stopServer(): Promise<void>;
  continueServer(): Promise<void>;
  /** Starts a session that is not ours on the running server. */
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
