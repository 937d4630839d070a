import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasErrno } from "@tmpm/core";
import { build } from "tsup";
import type { WriteCalls } from "../src/durable/write-durably.js";
import type { JournalCalls } from "../src/events/journal-calls.js";
import { linesOf } from "./lines.js";

/** `base` is the folder of the directory store or, with that `layout`, the sessions file. */
export type Job = { readonly base: string; readonly id: string; readonly layout?: "single-file" } & (
  | { readonly do: "increment" | "try-updates"; readonly times: number }
  | { readonly do: "hammer" | "probe" | "exhaust" | "fill" }
  /** `nth`: the number of the call in which it dies; default the first. */
  | { readonly do: "die-in"; readonly call: keyof WriteCalls; readonly nth?: number }
);

/** The commands of a program that writes as trusty-mpm does, one per line; it prints one line for each. */
export type TrustyCommand =
  | { readonly do: "read" }
  /** `save-from-memory` is an upsert that does not check the file again. */
  | { readonly do: "upsert" | "save-from-memory"; readonly id: string; readonly fields: Record<string, unknown> }
  | { readonly do: "churn"; readonly id: string; readonly times: number };

/** `die`: in the nth of the named calls, as after a kill -9. */
export interface JournalJob {
  readonly dir: string;
  readonly maxBytes: number;
  readonly die?: { readonly call: keyof JournalCalls; readonly nth: number };
}

export interface Worker {
  readonly pid: number | undefined;
  send(line: string): void;
  /** Its next line; null if it ended without one. */
  next(): Promise<unknown>;
  /** The rest of its output, once it has ended. */
  rest(): Promise<readonly unknown[]>;
  kill(signal: NodeJS.Signals): void;
  /** The signal that ended it, else its exit code. */
  ended: Promise<NodeJS.Signals | number | null>;
}

export interface Workers {
  /** Runs a job in a separate process; `prefix` is put before the command, such as `["strace", …]`. */
  start(job: Job, options?: { readonly prefix?: readonly string[] }): Worker;
  /** Starts a process that takes and releases the daemon's lock on command. */
  startDaemon(): Worker;
  /** Starts a program that keeps the sessions file as trusty-mpm does. */
  startTrusty(path: string): Worker;
  /** Starts a process that appends to a journal until it dies. */
  startJournal(job: JournalJob): Worker;
  /** Ends every process that still runs. */
  dispose(): Promise<void>;
}

const PROGRAMS = ["worker-program", "daemon-program", "trusty-program", "journal-program"] as const;
type Program = (typeof PROGRAMS)[number];

/**
 * The folder with the programs as files that Node, and any user, can run: real processes run the real source. Made once for a test run,
 * which removes it.
 */
async function bundledPrograms(): Promise<string> {
  const { TMPM_TEST_PROGRAMS: dir } = process.env;
  if (dir === undefined) throw new Error("TMPM_TEST_PROGRAMS is not set: scripts/test-programs.mjs does that for every run of vitest");
  const place = join(dir, "store");
  if (existsSync(place)) return place;
  const own = `${place}.${process.pid}`;
  const here = dirname(fileURLToPath(import.meta.url));
  await build({
    entry: PROGRAMS.map((name) => join(here, `${name}.ts`)),
    outDir: own,
    format: "esm",
    outExtension: () => ({ js: ".mjs" }),
    target: "node20",
    config: false,
    silent: true,
    splitting: false,
    noExternal: [/.*/],
    esbuildOptions(options) {
      options.conditions = ["@tmpm/source"];
    },
  });
  for (const path of [dir, own]) chmodSync(path, 0o755);
  try {
    renameSync(own, place);
  } catch (error) {
    // Another test process was faster.
    if (!hasErrno(error, "ENOTEMPTY", "EEXIST")) throw error;
  }
  return place;
}

export async function workers(): Promise<Workers> {
  const folder = await bundledPrograms();
  const running = new Set<Worker>();

  function run(program: Program, { args, prefix }: { readonly args: readonly string[]; readonly prefix: readonly string[] }): Worker {
    const [command = process.execPath, ...rest] = [...prefix, process.execPath, join(folder, `${program}.mjs`), ...args];
    const worker = started(spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] }));
    running.add(worker);
    return worker;
  }

  return {
    start: (job, { prefix = [] } = {}) => run("worker-program", { args: [JSON.stringify(job)], prefix }),
    startDaemon: () => run("daemon-program", { args: [], prefix: [] }),
    startTrusty: (path) => run("trusty-program", { args: [path], prefix: [] }),
    startJournal: (job) => run("journal-program", { args: [JSON.stringify(job)], prefix: [] }),
    async dispose() {
      for (const worker of running) worker.kill("SIGKILL");
      await Promise.all([...running].map(({ ended }) => ended));
    },
  };
}

function started(process: ChildProcess): Worker {
  const { stdin, stdout } = process;
  if (stdin === null || stdout === null) throw new TypeError("the worker has no pipes");
  const lines = linesOf(stdout);
  const next = async () => {
    const { value, done } = await lines.next();
    return done === true ? null : (JSON.parse(value) as unknown);
  };
  return {
    pid: process.pid,
    send: (line) => stdin.write(`${line}\n`),
    next,
    async rest() {
      const said: unknown[] = [];
      for (let value = await next(); value !== null; value = await next()) said.push(value);
      return said;
    },
    kill: (signal) => process.kill(signal),
    ended: once(process, "exit").then(([code, signal]) => signal ?? code),
  };
}
