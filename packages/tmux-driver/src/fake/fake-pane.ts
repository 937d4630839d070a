import { type Exit, timestampFromMs } from "@tmpm/core";
import type { FakeClock } from "./fake-clock.js";
import type { FakeEnd, FakeProgram, FakeTerminal } from "./fake-program.js";
import { type FakeScreen, fakeScreen } from "./fake-screen.js";

export interface PaneStart {
  readonly paneId: string;
  readonly pid: number;
  readonly tmuxName: string;
  readonly sessionId: string | null;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

/** Something that was given to a program, as the driver was asked for it. */
export type FakeInput = { readonly type: "paste"; readonly text: string } | { readonly type: "keys"; readonly keys: readonly string[] };

/** A pane of the pretended server. */
export interface FakePane extends PaneStart {
  readonly screen: FakeScreen;
  readonly received: FakeInput[];
  title: string;
  inMode: boolean;
  viewers: number;
  activeAt: number;
  exit: Exit | null;
  /** The command that holds the terminal instead of the pane's own program. */
  foreground: string | null;
  bracketed: boolean;
  lineMode: boolean;
  input(text: string): void;
  signal(name: "SIGHUP" | "SIGKILL"): "ends" | "stays";
  end(end: FakeEnd): void;
  write(text: string): void;
}

export interface PaneHost {
  readonly clock: FakeClock;
  readonly told: (type: "active" | "exited", pane: FakePane) => void;
}

/** Starts the program in a new pane. */
export function fakePane(start: PaneStart, { program, host }: { readonly program: FakeProgram; readonly host: PaneHost }): FakePane {
  const seconds = () => Math.floor(host.clock.now() / 1000);
  const pane: FakePane = {
    ...start,
    screen: fakeScreen(start),
    received: [],
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
      host.told("exited", pane);
    },
    write(text) {
      pane.screen.write(text);
      pane.activeAt = seconds();
      host.told("active", pane);
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
    setTitle: (title) => {
      pane.title = title;
    },
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
