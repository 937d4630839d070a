import { readdirSync, readFileSync } from "node:fs";
import type { ProcessInfo, ProcessTable } from "./process-table.js";

const TICKS_PER_SECOND = 100;

/** Linux's /proc. Its files are in memory, so synchronous reads are the cheapest. */
export function procTable(): ProcessTable {
  return {
    all: async () => read(pids()),
    some: async (wanted) => new Map(read(wanted).map((info) => [info.pid, info])),
    withEnvironment: async (entry) => pids().filter((pid) => environmentHas(pid, entry)),
  };
}

function read(wanted: readonly number[]): ProcessInfo[] {
  const boot = bootTime();
  return wanted.flatMap((pid) => {
    const stat = readOrNull(`/proc/${pid}/stat`);
    const info = stat === null ? null : parseStat(stat.toString("latin1"), boot);
    return info === null ? [] : [info];
  });
}

/** The command in parentheses may hold anything, parentheses included; the fields after its last one are numbers. */
export function parseStat(stat: string, boot: number): ProcessInfo | null {
  const open = stat.indexOf("(");
  const close = stat.lastIndexOf(")");
  if (open < 0 || close < 0) return null;
  const fields = stat.slice(close + 2).split(" ");
  const [state = "", parent, group, session, , foregroundGroup] = fields;
  const start = fields[19] ?? "";
  return {
    pid: Number(stat.slice(0, open)),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    foregroundGroup: Number(foregroundGroup),
    start,
    startedAt: boot + Number(start) / TICKS_PER_SECOND,
    zombie: state === "Z" || state === "X",
    command: stat.slice(open + 1, close),
  };
}

function bootTime(): number {
  const line = /^btime (\d+)$/m.exec(readFileSync("/proc/stat", "latin1"));
  return Number(line?.[1] ?? 0);
}

function pids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function environmentHas(pid: number, entry: string): boolean {
  const environment = readOrNull(`/proc/${pid}/environ`);
  return environment !== null && `\0${environment.toString("latin1")}`.includes(`\0${Buffer.from(entry).toString("latin1")}\0`);
}

/** Null for a process that is gone, or of another user. */
function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(String(error.code))) return null;
    throw error;
  }
}
