import { basename } from "node:path";
import type { ProcessInfo, ProcessTable } from "./process-table.js";
import { type ProgramEnd, runProgram } from "./run-program.js";

const COLUMNS = "pid=,ppid=,pgid=,tpgid=,stat=,lstart=,comm=";
const ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\w{3} \w{3}\s+\d+ [\d:]{8} \d{4})\s+(.*)$/;

export interface PsOptions {
  readonly program?: string;
  /** Default 3,000 ms. */
  readonly withinMs?: number;
}

/**
 * `ps`, for systems without /proc. Reports neither terminal sessions nor environments. @throws a system error with code `EAGAIN` when `ps`
 * does not answer: that proves nothing of any process
 */
export function psTable({ program = "ps", withinMs = 3000 }: PsOptions = {}): ProcessTable {
  const ps = async (selection: readonly string[]): Promise<ProcessInfo[]> => {
    const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
    const end = await runProgram({ argv: [program, ...selection, "-o", COLUMNS], env, withinMs });
    return rowsOf(end).flatMap((line) => {
      const info = parsePsRow(line);
      return info === null ? [] : [info];
    });
  };
  return {
    all: () => ps(["-A"]),
    some: async (pids) => {
      if (pids.length === 0) return new Map();
      const found = await ps(["-p", pids.join(",")]);
      return new Map(found.map((info) => [info.pid, info]));
    },
    withEnvironment: async () => [],
    marked: async () => new Map(),
    inTmux: async () => new Map(),
    withTerminalOf: async () => [],
  };
}

function rowsOf(end: ProgramEnd): readonly string[] {
  if (end.kind === "refused") throw unanswered(end.error.message);
  if (end.kind === "late") throw unanswered("no answer in time");
  const { status, stdout, stderr } = end;
  // Status 1 without any output: none of the processes exists.
  if (status === 0 || (status === 1 && (stdout !== "" || stderr === ""))) return stdout.split("\n");
  throw unanswered(stderr.split("\n", 1).join() || `status ${status ?? "unknown"}`);
}

function unanswered(why: string): Error {
  return Object.assign(new Error(`ps did not list the processes: ${why}`), { code: "EAGAIN", syscall: "ps" });
}

export function parsePsRow(line: string): ProcessInfo | null {
  const match = ROW.exec(line);
  if (match === null) return null;
  const [, pid, parent, group, foregroundGroup, state = "", start = "", command = ""] = match;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: 0,
    foregroundGroup: Number(foregroundGroup),
    start,
    startedAt: Date.parse(`${start} UTC`) / 1000,
    zombie: state.startsWith("Z"),
    // A path on macOS.
    command: basename(command),
  };
}
