import { writeSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { TmpmError } from "@tmpm/core/errors";
import type { IPty } from "node-pty";
import type { PtyLaunch } from "./pty-launch.js";
import type { Sink } from "./write-queue.js";

/** A program in a terminal of its own. */
export interface PtyProcess {
  readonly pid: number;
  readonly terminal: Sink;
  /** The terminal's name. */
  readonly tty: string;
  resize(size: { readonly columns: number; readonly rows: number }): void;
}

export interface PtyListener {
  /** The program's output, unchanged. */
  readonly printed: (bytes: Uint8Array) => void;
  /** After the last bytes. */
  readonly exited: (exit: { readonly status: number | null; readonly signal: number | null }) => void;
}

/** `exec` would not report the missing program. */
const RUN = 'command -v "$1" >/dev/null || { printf "%s: not found\\n" "$1" >&2; exit 127; }; exec "$@"';

/** @throws HOST_UNAVAILABLE when node-pty does not load; LAUNCH_FAILED */
export async function ptyProcess(launch: PtyLaunch, { printed, exited }: PtyListener): Promise<PtyProcess> {
  const { spawn } = await load(launch.nodePty);
  const { argv, cwd, env, columns, rows } = launch;
  const pty = start(() =>
    spawn("/bin/sh", ["-c", RUN, "sh", ...argv], { name: "xterm-256color", cols: columns, rows, cwd, env: { ...env }, encoding: null }),
  );
  pty.onData((data: string | Uint8Array) => printed(typeof data === "string" ? Buffer.from(data) : data));
  pty.onExit(({ exitCode, signal }) =>
    exited(signal === undefined || signal === 0 ? { status: exitCode, signal: null } : { status: null, signal }),
  );
  const terminal = terminalOf(pty);
  return {
    pid: pty.pid,
    terminal,
    tty: String(Reflect.get(pty, "ptsName")),
    resize(size) {
      if (terminal.isOpen()) pty.resize(size.columns, size.rows);
    },
  };
}

/**
 * node-pty closes the descriptor when no process has the terminal open any more, possibly long before the program ends, and reports only
 * that end.
 */
function terminalOf(pty: IPty): Sink {
  const fd = Number(Reflect.get(pty, "fd"));
  const socket: unknown = Reflect.get(pty, "_socket");
  return {
    isOpen: () => typeof socket !== "object" || socket === null || Reflect.get(socket, "destroyed") !== true,
    write: (bytes) => writeSync(fd, bytes),
  };
}

/** It is optional, and the process that starts holders knows its path. */
async function load(path: string): Promise<typeof import("node-pty")> {
  try {
    const loaded = await import(pathToFileURL(path).href);
    return loaded.default ?? loaded;
  } catch (error) {
    throw new TmpmError("HOST_UNAVAILABLE", `node-pty cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function start(spawn: () => IPty): IPty {
  try {
    return spawn();
  } catch (error) {
    throw new TmpmError("LAUNCH_FAILED", `the terminal could not be created: ${error instanceof Error ? error.message : String(error)}`);
  }
}
