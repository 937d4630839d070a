import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { hasErrno } from "@tmpm/core";
import type { ProcessSource, RunningProcess } from "./agent-processes.js";

const TICKS_PER_SECOND = 100;

/** /proc is in memory, so reading it synchronously is the cheapest. */
export function linuxProcesses(root = "/proc"): ProcessSource {
  return {
    all: async () => {
      const boot = Number(/^btime (\d+)$/m.exec(readFileSync(`${root}/stat`, "latin1"))?.[1] ?? 0);
      const pids = readdirSync(root).filter((name) => /^\d+$/.test(name));
      return pids.flatMap((pid) => readProcess(`${root}/${pid}`, boot) ?? []);
    },
    directories: async (pids) => new Map(pids.flatMap((pid) => workingDirectory(`${root}/${pid}`, pid))),
  };
}

function readProcess(folder: string, boot: number): RunningProcess | null {
  const stat = ifThere(() => readFileSync(`${folder}/stat`, "latin1"));
  if (stat === null) return null;
  // The command in parentheses may contain anything, including parentheses.
  const [state, parent, , , terminal, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === "Z" || state === "X") return null;
  const mine = ifThere(() => statSync(folder).uid === process.getuid?.()) === true;
  const cmdline = mine ? ifThere(() => readFileSync(`${folder}/cmdline`, "utf8")) : null;
  return {
    pid: Number(stat.slice(0, stat.indexOf(" "))),
    parent: Number(parent),
    startedAt: boot + Number(rest[14]) / TICKS_PER_SECOND,
    terminal: terminal !== "0",
    argv: cmdline === null || cmdline === "" ? [] : cmdline.replace(/\0$/, "").split("\0"),
  };
}

function workingDirectory(folder: string, pid: number): readonly (readonly [number, string])[] {
  const path = ifThere(() => readlinkSync(`${folder}/cwd`));
  return path === null ? [] : [[pid, path]];
}

/** Null for a process that has ended meanwhile, or belongs to another user. */
function ifThere<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return null;
    throw error;
  }
}
