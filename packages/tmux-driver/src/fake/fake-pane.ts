import { type Exit, timestampFromMs } from "@tmpm/core";
import { paintedScreen } from "../observe/paint.js";
import type { FakeClock } from "./fake-clock.js";
import type { FakeEnd, FakeProgram, FakeTerminal } from "./fake-program.js";
import { type FakeScreen, fakeScreen } from "./fake-screen.js";

export interface PaneStart {
  readonly paneId: string;
  readonly pid: number;
  readonly tmuxName: string;
  readonly sessionId: string | null;
  readonly home: string | null;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

/** Input of a program, as requested from the driver. */
export type FakeInput = { readonly type: "paste"; readonly text: string } | { readonly type: "keys"; readonly keys: readonly string[] };

/** Events for a reader of the pane's output. */
export interface FakeTap {
  printed(bytes: Uint8Array): void;
  lost(): void;
  ended(how: "exited" | "closed"): void;
}

export interface FakePane extends PaneStart {
  columns: number;
  rows: number;
  /** The session id of its tmux session; null for a user's. */
  readonly owner: string | null;
  sessionId: string | null;
  home: string | null;
  tmuxName: string;
  readonly taps: Set<FakeTap>;
  readonly screen: FakeScreen;
  readonly received: FakeInput[];
  title: string;
  inMode: boolean;
  viewers: number;
  activeAt: number;
  exit: Exit | null;
  /** The command in the terminal's foreground, other than the pane's own program. */
  foreground: string | null;
  bracketed: boolean;
  lineMode: boolean;
  input(text: string): void;
  signal(name: "SIGHUP" | "SIGKILL"): "ends" | "stays";
  end(end: FakeEnd): void;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  write(text: string): void;
  /** Replaces the visible screen, like a repaint. */
  draw(lines: readonly string[]): void;
  setTitle(title: string): void;
}

export interface PaneHost {
  readonly clock: FakeClock;
  readonly emit: (type: "active" | "exited", pane: FakePane) => void;
}

/** Starts the program in a new pane. */
export function fakePane(start: PaneStart, { program, host }: { readonly program: FakeProgram; readonly host: PaneHost }): FakePane {
  const seconds = () => Math.floor(host.clock.now() / 1000);
  const printed = (text: string) => {
    pane.activeAt = seconds();
    // The terminal turns a program's line feed into CR LF.
    const bytes = Buffer.from(text.replace(/\r?\n/g, "\r\n"));
    for (const tap of pane.taps) tap.printed(bytes);
    host.emit("active", pane);
  };
  const pane: FakePane = {
    ...start,
    owner: start.sessionId,
    screen: fakeScreen(start),
    received: [],
    taps: new Set(),
    title: "",
    inMode: false,
    viewers: 0,
    activeAt: seconds(),
    exit: null,
    foreground: null,
    bracketed: false,
    lineMode: false,
    input: (text) => running?.input?.(text),
    signal: (name) => running?.signal?.(name) ?? "ends",
    end(end) {
      if (pane.exit !== null) return;
      const how = "status" in end ? { status: end.status, signal: null } : { status: null, signal: end.signal };
      pane.exit = { ...how, at: timestampFromMs(seconds() * 1000) };
      host.emit("exited", pane);
      for (const tap of pane.taps) tap.ended("exited");
    },
    resize(size) {
      Object.assign(pane, size);
      pane.screen.resize(size);
    },
    write(text) {
      pane.screen.write(text);
      printed(text);
    },
    draw(lines) {
      pane.screen.draw(lines);
      printed(
        paintedScreen({ lines: pane.screen.visible(), cursor: { ...pane.screen.cursor(), visible: true }, rows: pane.rows, modes: {} }),
      );
    },
    setTitle(title) {
      pane.title = title;
      printed(`\u001b]2;${title}\u0007`);
    },
  };
  const running = program(terminalOf(pane, host.clock));
  return pane;
}

function terminalOf(pane: FakePane, clock: FakeClock): FakeTerminal {
  return {
    argv: pane.argv,
    cwd: pane.cwd,
    env: pane.env,
    columns: pane.columns,
    rows: pane.rows,
    write: (text) => pane.exit ?? pane.write(text),
    setTitle: (title) => pane.setTitle(title),
    bracketedPaste: (on) => {
      pane.bracketed = on;
    },
    lineMode: (on) => {
      pane.lineMode = on;
    },
    foreground: (command) => {
      pane.foreground = command;
    },
    after: (ms, task) =>
      clock.after(ms, () => {
        if (pane.exit === null) task();
      }),
    exit: (end) => pane.end(end),
  };
}
