import type { PaneInfo } from "@tmpm/core";
import type { HostCreateSpec, SessionHost } from "../host.js";

export type Argv = HostCreateSpec["argv"];

/**
 * Programs that every host can run. For a host with a conversation they are protocol agents with the same behaviour. Each finds its session
 * in `TMPM_SESSION_ID`.
 */
export interface AnyPrograms {
  /** Runs until it is ended. */
  waiting(): Argv;
  /** Exits with the status shortly after its start. */
  exit(status: number): Argv;
  /** Ignores SIGHUP, has a child that does so too, and waits. */
  stubborn(): Argv;
}

/** Programs that only a host with terminals runs. */
export interface TerminalPrograms {
  /** Reads raw, prints only `ready`, and stores every byte for `received`; requests bracketed paste on demand. */
  recorder(options: { readonly framed: boolean }): Argv;
  /** Prints `line 1` to `line COUNT`, each with a line end, and waits. */
  lines(count: number): Argv;
  /** Prints each word, its directory and `CONTRACT_VALUE` of its environment, each between `<` and `>` on a separate line, and waits. */
  report(words: readonly string[]): Argv;
  /** Prints `last words` and a line end, and exits with the status shortly after. */
  lastWords(status: number): Argv;
}

/** An idle host, and access to it from outside. */
export interface HostFixture {
  readonly host: SessionHost;
  /** The same host with the shortest possible timeouts for answers. */
  readonly impatient: SessionHost;
  /** The same host as the next daemon gets it, after this one was killed. */
  again(): SessionHost;
  readonly programs: AnyPrograms;
  /** Null for a host without terminals. */
  readonly terminals: TerminalPrograms | null;
  /** A word unique to the fixture. */
  readonly unique: string;
  /** An existing directory with a space in its name. */
  readonly cwd: string;
  /** The bytes that the session's recorder has read so far. */
  received(sessionId: string): Promise<string>;
  /** Number of running processes of the session. */
  running(pane: PaneInfo): Promise<number>;
  /** Kills, unknown to the host, the process that owns the terminal, and all processes in it. */
  destroy(pane: PaneInfo): Promise<void>;
  /** Stops the process that owns the terminal (SIGSTOP), and continues it. */
  silence(pane: PaneInfo): Promise<void>;
  wake(pane: PaneInfo): Promise<void>;
  close(): Promise<void>;
}

export interface HostContractOptions {
  /** The test function of the test runner. */
  readonly test: (title: string, run: () => Promise<void>) => void;
  readonly open: () => Promise<HostFixture>;
  /** Also declares the cases about terminals. */
  readonly terminals: boolean;
}

/** Declares one case, with its own fixture. */
export type Declare = (title: string, run: (fixture: HostFixture) => Promise<void>) => void;
