import { procTable } from "./process-table-proc.js";
import { psTable } from "./process-table-ps.js";

/** A process at one moment. `start` distinguishes it from any later process with its pid. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The process that leads its terminal session; 0 when unknown. */
  readonly session: number;
  /** The group that its terminal listens to; 0 or less without a terminal. */
  readonly foregroundGroup: number;
  readonly start: string;
  /** Seconds since 1970, by the machine's clock now. */
  readonly startedAt: number;
  /** Has ended and waits for its parent to notice. */
  readonly zombie: boolean;
  readonly command: string;
}

export interface ProcessTable {
  all(): Promise<readonly ProcessInfo[]>;
  /** Those of the pids that exist. */
  some(pids: readonly number[]): Promise<ReadonlyMap<number, ProcessInfo>>;
  /** Processes whose environment held `NAME=value` when they started their program; empty where the system does not report it. */
  withEnvironment(entry: string): Promise<readonly number[]>;
  /** Processes that have a session's mark (`sessionMark`), and the mark of each; empty where the system does not report it. */
  marked(): Promise<ReadonlyMap<number, string>>;
  /** Processes that have the terminal of this one open, whatever session they are in; empty where the system does not report it. */
  withTerminalOf(pid: number): Promise<readonly number[]>;
}

export function processTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  return platform === "linux" ? procTable() : psTable();
}
