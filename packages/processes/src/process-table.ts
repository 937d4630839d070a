import { procTable } from "./process-table-proc.js";
import { psTable } from "./process-table-ps.js";

/** A process at one time. `start` distinguishes it from any later process with its pid. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The process that leads its terminal session; 0 when unknown. */
  readonly session: number;
  /** The foreground group of its terminal; 0 or less without a terminal. */
  readonly foregroundGroup: number;
  readonly start: string;
  /** Seconds since 1970, by the machine's current clock. */
  readonly startedAt: number;
  /** Has ended and waits for its parent to collect it. */
  readonly zombie: boolean;
  readonly command: string;
}

export interface ProcessTable {
  all(): Promise<readonly ProcessInfo[]>;
  /** The existing processes of these pids. */
  some(pids: readonly number[]): Promise<ReadonlyMap<number, ProcessInfo>>;
  /** Processes whose environment had `NAME=value` at the start of their program; empty if the system does not report it. */
  withEnvironment(entry: string): Promise<readonly number[]>;
  /** Processes with a session's mark (`sessionMark`), and the mark of each; empty if the system does not report it. */
  marked(): Promise<ReadonlyMap<number, string>>;
  /** The pid of the tmux server whose pane each process was started in, by its `TMUX`; empty if the system does not report it. */
  inTmux(): Promise<ReadonlyMap<number, number>>;
  /** Processes that have the terminal of this one open, in any session; empty if the system does not report it. */
  withTerminalOf(pid: number): Promise<readonly number[]>;
}

export function processTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  return platform === "linux" ? procTable() : psTable();
}
