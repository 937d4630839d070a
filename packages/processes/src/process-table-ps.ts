import { execa } from "execa";
import type { ProcessInfo, ProcessTable } from "./process-table.js";

const COLUMNS = "pid=,ppid=,pgid=,tpgid=,stat=,lstart=,comm=";
const ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\w{3} \w{3}\s+\d+ [\d:]{8} \d{4})\s+(.*)$/;

/** `ps`, for systems without /proc. Reports neither terminal sessions nor environments. */
export function psTable(): ProcessTable {
  return {
    all: () => ps(["-A"]),
    some: async (pids) => {
      if (pids.length === 0) return new Map();
      const found = await ps(["-p", pids.join(",")]);
      return new Map(found.map((info) => [info.pid, info]));
    },
    withEnvironment: async () => [],
    marked: async () => new Map(),
    withTerminalOf: async () => [],
  };
}

/** `ps -p` exits with status 1 when it finds none, so the status is not checked. */
async function ps(selection: readonly string[]): Promise<ProcessInfo[]> {
  const { stdout } = await execa("ps", [...selection, "-o", COLUMNS], {
    env: { LC_ALL: "C", TZ: "UTC" },
    reject: false,
    timeout: 3000,
    killSignal: "SIGKILL",
  });
  return stdout.split("\n").flatMap((line) => {
    const info = parsePsRow(line);
    return info === null ? [] : [info];
  });
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
    command,
  };
}
