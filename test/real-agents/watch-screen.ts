import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Recording } from "@tmpm/agents";

const run = promisify(execFile);

/** A state, and the time at which it was first seen or reported, in milliseconds since 1970. */
export interface Seen {
  readonly state: string;
  readonly at: number;
}

export interface WatchOptions {
  readonly socket: string;
  readonly paneId: string;
  readonly read: (recording: Recording) => string;
}

const FORMAT =
  "#{pane_width}\t#{pane_height}\t#{cursor_x}\t#{cursor_y}\t#{cursor_flag}\t#{pane_dead}\t#{pane_current_command}\t#{pane_title}";

/** Observes a pane as often as possible with separate tmux processes, and records each change of state; states between two others count. */
export function watchScreen({ socket, paneId, read }: WatchOptions): { stop(): Promise<readonly Seen[]> } {
  const seen: Seen[] = [];
  let stopped = false;
  const look = async () => {
    const { stdout } = await run("tmux", [
      "-u",
      "-S",
      socket,
      "display-message",
      "-p",
      "-t",
      paneId,
      FORMAT,
      ";",
      "capture-pane",
      "-p",
      "-t",
      paneId,
    ]);
    const at = Date.now();
    const state = read(recordingOf(stdout));
    if (seen.at(-1)?.state !== state) seen.push({ state, at });
  };
  const watching = (async () => {
    while (!stopped) await look();
  })();
  return {
    async stop() {
      stopped = true;
      await watching;
      return seen.filter(({ state }) => state === "working" || state === "idle").slice(1);
    },
  };
}

function recordingOf(text: string): Recording {
  const end = text.indexOf("\n");
  const [cols = "", rows = "", x = "", y = "", visible = "", dead = "", command = "", ...title] = text.slice(0, end).split("\t");
  return {
    version: "",
    cols: Number(cols),
    rows: Number(rows),
    screen: text.slice(end + 1),
    pane_title: title.join("\t"),
    pane_current_command: command,
    alternate_on: false,
    cursor: { x: Number(x), y: Number(y), visible: visible === "1" },
    pane_dead: dead === "1",
  };
}
