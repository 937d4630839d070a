import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScreenAnswer } from "@tmpm/api";

export interface RecorderOptions {
  /** The folder for recordings; created if missing. */
  readonly folder: string;
  /** The version of the agent's program. */
  readonly version: string;
  readonly command: string;
}

/** Records screens in the test format of `@tmpm/agents`, each once, in a folder named after its recognized state. */
export interface Recorder {
  /** Path of the file with a new screen; null if it was already recorded. */
  record(seen: { readonly screen: ScreenAnswer; readonly state: string }): string | null;
  readonly files: readonly string[];
}

/** Counters and spinner characters: screens that differ only in these count as equal. */
const MOVING = /\d+|[\u2800-\u28ff◐◑◒◓◉○●◌◍◎]+/gu;

export function recorder({ folder, version, command }: RecorderOptions): Recorder {
  const files: string[] = [];
  const known = new Set<string>();
  return {
    files,
    record({ screen, state }) {
      const text = screen.lines.join("\n");
      const key = `${state}\n${screen.title}\n${text}`.replace(MOVING, "0");
      if (known.has(key)) return null;
      known.add(key);
      const path = join(folder, state, `${String(files.length + 1).padStart(2, "0")}.json`);
      mkdirSync(join(folder, state), { recursive: true, mode: 0o700 });
      writeFileSync(path, `${JSON.stringify(recordingOf(screen, { version, command, text }), null, 1)}\n`, { mode: 0o600 });
      files.push(path);
      return path;
    },
  };
}

function recordingOf(
  { columns, rows, cursor, title, styles, live }: ScreenAnswer,
  { version, command, text }: { readonly version: string; readonly command: string; readonly text: string },
): object {
  return {
    version,
    cols: columns,
    rows,
    screen: text,
    ...(styles === undefined ? {} : { styles }),
    pane_title: title,
    pane_current_command: command,
    alternate_on: false,
    cursor: { x: cursor.column, y: cursor.row, visible: cursor.visible },
    pane_dead: !live,
  };
}
