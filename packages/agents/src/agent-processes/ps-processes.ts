import { execFile } from "node:child_process";
import type { ProcessSource, RunningProcess } from "./agent-processes.js";

const DEADLINE_MS = 3_000;

/** For systems without /proc: `ps` lists the processes, `lsof` their directories if it is installed. */
export function psProcesses(): ProcessSource {
  return {
    all: async () => {
      const output = await printed(["ps", "-axww", "-o", "pid=,ppid=,uid=,lstart=,tty=,args="]);
      return output.split("\n").flatMap((line) => parseRow(line, process.getuid?.() ?? -1) ?? []);
    },
    directories: async (pids) => {
      if (pids.length === 0) return new Map();
      return parseDirectories(await printed(["lsof", "-a", "-d", "cwd", "-Fpn", "-p", pids.join(",")]));
    },
  };
}

/** `lstart` is five words in the C locale, here in UTC: `Sat Nov 28 02:15:32 2026`. Arguments are separated by blanks only. */
export function parseRow(line: string, uid: number): RunningProcess | null {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(\S+)\s+(.*)$/.exec(line);
  if (match === null) return null;
  const [, pid, parent, owner, started = "", tty = "", args = ""] = match;
  return {
    pid: Number(pid),
    parent: Number(parent),
    startedAt: Math.floor(Date.parse(`${started} UTC`) / 1000),
    terminal: !tty.startsWith("?"),
    argv: Number(owner) === uid ? args.split(/\s+/) : [],
  };
}

/** Lines `p` with a pid, each followed by `n` with its directory. */
export function parseDirectories(output: string): ReadonlyMap<number, string> {
  const directories = new Map<number, string>();
  let pid = 0;
  for (const line of output.split("\n")) {
    if (line.startsWith("p")) pid = Number(line.slice(1));
    if (line.startsWith("n/")) directories.set(pid, line.slice(1));
  }
  return directories;
}

/** A program's output; empty when it is not installed, and partial when it fails or does not end in time. */
function printed([program = "", ...args]: readonly string[]): Promise<string> {
  const options = { env: { ...process.env, LC_ALL: "C", TZ: "UTC" }, timeout: DEADLINE_MS, maxBuffer: 16 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(program, args, options, (_, stdout) => resolve(stdout));
  });
}
