import type { PaneInfo } from "@tmpm/core";
import type { HostCreateSpec, SessionHost } from "../host.js";

export type Argv = HostCreateSpec["argv"];

/** What every host can run. For a host with a conversation they are agents of its protocol that do the same. Each knows its session by `TMPM_SESSION_ID`. */
export interface AnyPrograms {
  /** Runs until it is ended. */
  waiting(): Argv;
  /** Ends with the status a moment after it has begun. */
  exit(status: number): Argv;
  /** Ignores SIGHUP, has a child that does so too, and waits. */
  stubborn(): Argv;
}

/** What only a host with terminals runs. */
export interface TerminalPrograms {
  /** Reads raw, shows `ready` and nothing else, and keeps every byte for `received`; asks for framed pastes on request. */
  recorder(options: { readonly framed: boolean }): Argv;
  /** Prints `line 1` to `line COUNT`, each with a line end, and waits. */
  lines(count: number): Argv;
  /** Prints each word, its directory and `CONTRACT_VALUE` of its environment, each between `<` and `>` on a line of its own, and waits. */
  report(words: readonly string[]): Argv;
  /** Prints `last words` and a line end, and ends with the status a moment later. */
  lastWords(status: number): Argv;
}

/** A host on which nothing runs yet, and the outside of it. */
export interface HostFixture {
  readonly host: SessionHost;
  /** The same host, which waits for answers as short as can be. */
  readonly impatient: SessionHost;
  /** The same host as the next daemon has it, after this one has gone without a word. */
  again(): SessionHost;
  readonly programs: AnyPrograms;
  /** Null for a host without terminals. */
  readonly terminals: TerminalPrograms | null;
  /** A word that no other fixture has. */
  readonly unique: string;
  /** A directory that exists, with a space in its name. */
  readonly cwd: string;
  /** What the recorder of the session has read so far. */
  received(sessionId: string): Promise<string>;
  /** How many of the session's processes run. */
  running(pane: PaneInfo): Promise<number>;
  /** Ends, by force and behind the host's back, what holds the terminal, and whatever ran in it. */
  destroy(pane: PaneInfo): Promise<void>;
  /** Lets what holds the terminal stop answering (SIGSTOP), and continue. */
  silence(pane: PaneInfo): Promise<void>;
  wake(pane: PaneInfo): Promise<void>;
  close(): Promise<void>;
}

export interface HostContractOptions {
  /** The test runner's own function. */
  readonly test: (title: string, run: () => Promise<void>) => void;
  readonly open: () => Promise<HostFixture>;
  /** Cases about terminals are declared too. */
  readonly terminals: boolean;
}

/** Declares one case, with a fixture of its own. */
export type Declare = (title: string, run: (fixture: HostFixture) => Promise<void>) => void;
