import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Observation } from "../src/adapter.js";

export interface TerminalSpec {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

export interface Terminal {
  paste(text: string): void;
  keys(...names: readonly string[]): void;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  look(): Observation;
  /** The first value that the probe finds on the screen; fails after 30 s, with the screen. */
  until<T>(probe: (screen: Observation) => T | null | undefined | false): Promise<T>;
  [Symbol.asyncDispose](): Promise<void>;
}

const FIELDS = "#{cursor_x} #{cursor_y} #{cursor_flag} #{history_size} #{pane_width} #{pane_dead} #{pane_pid} #{pane_current_command}";

/** A program in a separate real tmux server. */
export function openTerminal({ argv, env = {}, columns = 80, rows = 24 }: TerminalSpec): Terminal {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-"));
  const socket = join(folder, "s");
  const tmux = (args: readonly string[], input?: string) =>
    execFileSync("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: folder, TERM: "xterm-256color", ...env },
      ...(input === undefined ? {} : { input }),
    });
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux(["start-server", ";", "set", "-g", "remain-on-exit", "on", ";", "new-session", "-d", ...size, "-s", "t", "--", ...argv]);
  const look = () => observe(tmux);
  return {
    look,
    paste(text) {
      tmux(["load-buffer", "-b", "b", "-", ";", "paste-buffer", "-p", "-r", "-d", "-b", "b", "-t", "t:"], text);
    },
    keys: (...names) => void tmux(["send-keys", "-t", "t:", ...names]),
    resize: (to) => void tmux(["resize-window", "-t", "t:", "-x", String(to.columns), "-y", String(to.rows)]),
    async until(probe) {
      const deadline = Date.now() + 30_000;
      // Each observation starts a process.
      for (let wait = 20; ; wait = Math.min(wait * 1.3, 100)) {
        const screen = look();
        const found = probe(screen);
        if (found !== null && found !== undefined && found !== false) return found;
        if (Date.now() > deadline) throw new Error(`not seen within 30 s:\n${JSON.stringify(screen, null, 1)}`);
        await pause(wait);
      }
    },
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => execFile("tmux", ["-S", socket, "kill-server"], resolve));
      // The programs end a moment after their server and may still write into the folder, which is their home; `rmSync` does not check
      // again whether a folder that it emptied is still empty.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

function observe(tmux: (args: readonly string[]) => string): Observation {
  const output = tmux([
    "display-message",
    "-p",
    "-t",
    "t:",
    FIELDS,
    ";",
    "display-message",
    "-p",
    "-t",
    "t:",
    "#{pane_title}",
    ";",
    "capture-pane",
    "-p",
    "-t",
    "t:",
  ]);
  const [facts = "", title = "", ...lines] = output.split("\n");
  const [x, y, visible, history, columns, dead, pid = "", command = ""] = facts.split(" ");
  return {
    lines: lines.slice(0, -1).map((line) => line.trimEnd()),
    columns: Number(columns),
    cursor: { column: Number(x), row: Number(y), visible: visible === "1" },
    historySize: Number(history),
    title,
    foreground: dead === "1" ? null : inForeground(pid),
    command,
    dead: dead === "1",
  };
}

/** Null for a process that ended since tmux reported it. */
function inForeground(pid: string): boolean | null {
  const [group, foreground] = (process.platform === "linux" ? groupsInProc(pid) : groupsByPs(pid)) ?? [];
  return group === undefined || foreground === undefined ? null : group === foreground;
}

/** The process's group and its terminal's group, after the command in parentheses (proc(5)); this needs no process. */
function groupsInProc(pid: string): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [, , group = "", , , foreground = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [group, foreground];
  } catch {
    return null;
  }
}

function groupsByPs(pid: string): readonly string[] | null {
  const { status, stdout } = spawnSync("ps", ["-o", "pgid=,tpgid=", "-p", pid], { encoding: "utf8" });
  return status === 0 ? stdout.trim().split(/\s+/) : null;
}
