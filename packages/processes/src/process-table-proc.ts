import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, statSync } from "node:fs";
import { performance } from "node:perf_hooks";
import type { ProcessInfo, ProcessTable } from "./process-table.js";
import { markOf } from "./session-mark.js";
import { sharedTurn } from "./shared-turn.js";

const TICKS_PER_SECOND = 100;
/** Index of the start time after the command (proc(5)). */
const START = 19;
const BOOT_TIME_VALID_MS = 1000;

/** Linux's /proc. Its files are in memory, so synchronous reads are the cheapest. */
export function procTable(): ProcessTable {
  const boot = recentBootTime();
  const environments = sharedTurn(readEnvironments);
  const terminals = sharedTurn(readTerminals);
  return {
    all: sharedTurn(() => read(pids(), boot())),
    some: async (wanted) => new Map(read(wanted, boot()).map((info) => [info.pid, info])),
    withEnvironment: async (entry) =>
      (await environments()).filter(({ text }) => text.includes(asBytes(`\0${entry}\0`))).map(({ pid }) => pid),
    marked: sharedTurn(readMarks),
    inTmux: async () => new Map((await environments()).flatMap(({ pid, text }) => serverOf(text).map((server) => [pid, server] as const))),
    withTerminalOf: async (pid) => {
      const terminal = terminalAt(`/proc/${pid}/fd/0`);
      return terminal === null ? [] : ((await terminals()).get(terminal) ?? []);
    },
  };
}

/** `TMUX` is the server's socket, its pid and a session's number (tmux(1)). */
function serverOf(environment: string): readonly number[] {
  const [, pid] = /\0TMUX=[^\0]*,(\d+),\d+\0/.exec(environment) ?? [];
  return pid === undefined ? [] : [Number(pid)];
}

/** Its device and file system: another container has terminals with the same names. */
function terminalAt(path: string): string | null {
  if (!(unlessGone(() => readlinkSync(path))?.startsWith("/dev/pts/") ?? false)) return null;
  const found = unlessGone(() => statSync(path));
  return found?.isCharacterDevice() === true ? `${found.dev}:${found.rdev}` : null;
}

/** The processes that have each terminal open. */
function readTerminals(): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const pid of pids()) {
    const names = unlessGone(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
    for (const terminal of new Set(names.map((name) => terminalAt(`/proc/${pid}/fd/${name}`)))) {
      if (terminal !== null) found.set(terminal, [...(found.get(terminal) ?? []), pid]);
    }
  }
  return found;
}

function read(wanted: readonly number[], boot: number): ProcessInfo[] {
  return wanted.flatMap((pid) => {
    const stat = unlessGone(() => readStat(pid));
    const info = stat === null ? null : parseStat(stat, boot);
    return info === null ? [] : [info];
  });
}

/**
 * Whether a process was stopped by a signal, as by Ctrl-Z, and waits for SIGCONT. False if that is unknown: on other systems than Linux,
 * and for a process that is gone.
 */
export function isSuspended(pid: number): boolean {
  const stat = process.platform === "linux" ? unlessGone(() => readStat(pid)) : null;
  return stat !== null && /\) T /.test(stat.slice(stat.lastIndexOf(")")));
}

/** More than a row of /proc can contain. Such a file has no size, so `readFileSync` would read several times into buffers of its own. */
const row = Buffer.allocUnsafeSlow(4096);

function readStat(pid: number): string {
  const file = openSync(`/proc/${pid}/stat`, "r");
  try {
    return row.toString("latin1", 0, readSync(file, row, 0, row.length, 0));
  } finally {
    closeSync(file);
  }
}

/** For longer files; grows to the longest one. */
let page = Buffer.allocUnsafeSlow(16 * 1024);

function readWhole(path: string): string {
  const file = openSync(path, "r");
  try {
    for (let length = 0; ; ) {
      const count = readSync(file, page, length, page.length - length, null);
      length += count;
      if (count === 0) return page.toString("latin1", 0, length);
      if (length === page.length) page = Buffer.concat([page], 2 * length);
    }
  } finally {
    closeSync(file);
  }
}

/** The command in parentheses may contain anything, including parentheses; the fields after its last one are numbers. */
export function parseStat(stat: string, boot: number): ProcessInfo | null {
  const open = stat.indexOf("(");
  const close = stat.lastIndexOf(")");
  if (open < 0 || close < 0) return null;
  const fields = stat.slice(close + 2).split(" ", START + 1);
  const [state = "", parent, group, session, , foregroundGroup] = fields;
  const start = fields[START] ?? "";
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

/** It changes when the clock is set, and is the slowest to read: the kernel sums up every interrupt for it. */
function recentBootTime(): () => number {
  let boot = { time: 0, readAt: Number.NEGATIVE_INFINITY };
  return () => {
    const now = performance.now();
    if (now - boot.readAt > BOOT_TIME_VALID_MS) boot = { time: bootTime(), readAt: now };
    return boot.time;
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

/** Each starts and ends with a zero; as bytes, regardless of their encoding. */
function readEnvironments(): { readonly pid: number; readonly text: string }[] {
  return pids().flatMap((pid) => {
    const environment = unlessGone(() => readWhole(`/proc/${pid}/environ`));
    return environment === null ? [] : [{ pid, text: `\0${environment}` }];
  });
}

function readMarks(): ReadonlyMap<number, string> {
  return new Map(
    pids().flatMap((pid): readonly [number, string][] => {
      const limits = unlessGone(() => readWhole(`/proc/${pid}/limits`));
      const mark = limits === null ? null : markOf(limits);
      return mark === null ? [] : [[pid, mark]];
    }),
  );
}

function asBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** Null for a process that is gone, or of another user. */
function unlessGone<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(String(error.code))) return null;
    throw error;
  }
}
