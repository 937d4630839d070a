import type { Observation, StyledRun } from "../adapter.js";

/** A recorded screen of a real program, in tmux's terms: cursor positions count from 0. */
export interface Recording {
  readonly version: string;
  readonly cols: number;
  readonly rows: number;
  /** The visible rows, joined by LF. */
  readonly screen: string;
  /** For each row; undefined in recordings without styles. */
  readonly styles?: readonly (readonly StyledRun[])[];
  readonly pane_title: string;
  readonly pane_current_command: string;
  readonly alternate_on: boolean;
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  readonly pane_dead: boolean;
  /** When it was recorded, in ISO 8601; undefined when nothing on it depends on that. */
  readonly at?: string;
}

/** A recorded screen as an observation. The foreground process was not recorded. */
export function observationOf(recording: Recording): Observation {
  const { cols, rows, screen, styles, cursor } = recording;
  return {
    lines: screen
      .split("\n")
      .slice(0, rows)
      .map((line) => line.trimEnd()),
    ...(styles === undefined ? {} : { styles }),
    columns: cols,
    cursor: { column: cursor.x, row: cursor.y, visible: cursor.visible },
    historySize: 0,
    title: recording.pane_title,
    foreground: null,
    command: recording.pane_current_command,
    dead: recording.pane_dead,
    ...(recording.at === undefined ? {} : { atMs: Date.parse(recording.at) }),
  };
}
