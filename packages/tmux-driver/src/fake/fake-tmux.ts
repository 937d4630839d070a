import { listenerSet, TmpmError } from "@tmpm/core";
import type { ServerEvent, TmuxDriver } from "../driver.js";
import { fakeClock } from "./fake-clock.js";
import { fakeDriver } from "./fake-driver.js";
import { type FakeFailure, type FakeMethod, fakeFaults } from "./fake-faults.js";
import type { FakeInput, FakePane } from "./fake-pane.js";
import type { FakeEnd } from "./fake-program.js";
import { fakeServer } from "./fake-server.js";
import { DEFAULT_PROGRAMS, type FakePrograms } from "./programs.js";

export interface FakeTmuxOptions {
  /** Default: a clock that moves only by `advance`. */
  readonly clock?: { now(): number };
  /** Added to the default ones (a small shell, `cat`, `sleep`, `true`, `false`), by path or base name of `argv[0]`. */
  readonly programs?: FakePrograms;
  /** Default `/fake/tmux.sock`. */
  readonly socket?: string;
  /** As in `TmuxOptions`. */
  readonly home?: string;
  /** The existing absolute directories; default all. */
  readonly directoryExists?: (path: string) => boolean;
}

/** A tmux server in memory, with controls for tests. A session is named by its session id or its tmux name. */
export interface FakeTmux {
  readonly driver: TmuxDriver;
  /** Virtual time in milliseconds since 1970. */
  now(): number;
  /** Advances virtual time: running sleeps end, hanging calls time out. */
  advance(ms: number): void;
  /** Replaces the session's screen; the cursor is after the last character. */
  draw(session: string, lines: readonly string[]): void;
  /** Writes to the screen like the session's program. */
  write(session: string, text: string): void;
  setTitle(session: string, title: string): void;
  /** Like `rename-session`, with tmux's own changes to the name. */
  rename(session: string, tmuxName: string): void;
  /** Readers of the session's output lose some of it, and get a screen instead. */
  loseOutput(session: string): void;
  /** Ends the session's program; the pane stays, dead. */
  exit(session: string, end: number | FakeEnd): void;
  /** Copy mode, as when a user scrolls. */
  setMode(session: string, inMode: boolean): void;
  /** Attaches a user's terminal; returns a function that detaches it. */
  attachViewer(session: string): () => void;
  /** Creates a foreign session in the directory `cwd` (default `/`). */
  openForeign(tmuxName: string, argv?: readonly [string, ...string[]], cwd?: string): void;
  /** The driver of another tmpm on the same server. */
  driverOf(home: string): TmuxDriver;
  /** Removes the session like an external `kill-session`. */
  close(session: string): void;
  /** Pastes and keys of the session, oldest first. */
  received(session: string): readonly FakeInput[];
  /** Ends the server and all sessions; the next create starts another. */
  killServer(): void;
  /** Likewise, with another server running at once: pane ids restart. */
  restartServer(): void;
  /** The server stops answering (SIGSTOP): every call is unanswered at once, without effect, until `continueServer`. */
  stopServer(): void;
  continueServer(): void;
  /** Makes the next call of the method fail; several calls queue up. */
  failNext(method: FakeMethod, failure: FakeFailure): void;
}

const START_MS = Date.UTC(2026, 0, 1);

export function fakeTmux(options: FakeTmuxOptions = {}): FakeTmux {
  const socket = options.socket ?? "/fake/tmux.sock";
  const clock = fakeClock(options.clock ?? { now: () => START_MS });
  const listeners = listenerSet<ServerEvent>({ later: true });
  const faults = fakeFaults(clock);
  const emit = (event: ServerEvent) => {
    if (!faults.isStopped()) listeners.notify(event);
  };
  const server = fakeServer({ socket, clock, programs: { ...DEFAULT_PROGRAMS, ...options.programs }, emit });
  const directoryExists = options.directoryExists ?? (() => true);
  const session = (name: string): FakePane => {
    const found = server.panes().find((pane) => pane.sessionId === name || pane.tmuxName === name);
    if (found === undefined) throw new TmpmError("SESSION_NOT_FOUND", `the fake has no session ${JSON.stringify(name)}`);
    return found;
  };
  const driverOf = (home: string | null) => fakeDriver({ server, faults, socket, home, listeners, directoryExists });
  return {
    driver: driverOf(options.home ?? null),
    now: clock.now,
    advance: clock.advance,
    draw: (name, lines) => session(name).draw(lines),
    write: (name, text) => session(name).write(text),
    setTitle: (name, title) => session(name).setTitle(title),
    rename: (name, tmuxName) => server.rename(session(name), tmuxName),
    loseOutput(name) {
      for (const tap of session(name).taps) tap.lost();
    },
    exit: (name, end) => session(name).end(typeof end === "number" ? { status: end } : end),
    setMode: (name, inMode) => Object.assign(session(name), { inMode }),
    attachViewer: (name) => server.attachViewer(session(name)),
    openForeign: (tmuxName, argv = ["sh"], cwd = "/") => {
      server.open({ tmuxName, argv, sessionId: null, home: null, cwd, env: {}, columns: 80, rows: 24 });
    },
    driverOf: (home) => driverOf(home),
    close: (name) => server.remove(session(name)),
    received: (name) => session(name).received,
    killServer: server.end,
    restartServer() {
      server.end();
      server.start();
    },
    stopServer: () => faults.stop(true),
    continueServer() {
      faults.stop(false);
      emit({ type: "look" });
    },
    failNext: faults.failNext,
  };
}
