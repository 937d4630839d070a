import { type ChildProcess, spawn } from "node:child_process";
import { PassThrough, Readable, Writable } from "node:stream";

/**
 * Runs a tmux client that cannot outlive its owner: a small shell holds a pipe that closes when the owner ends, in any way, and then ends
 * the client. A leftover client freezes panes and hangs the server (seen with tmux 3.3a and 3.7).
 * The asynchronous command would read from /dev/null, so standard input is duplicated first.
 */
const SCRIPT = 'exec 4<&0 </dev/null; "$@" <&4 4<&- 3<&- & p=$!; exec 4<&- 1>&- 2>&-; read -r _ <&3; kill "$p" 2>/dev/null; wait "$p"';

export interface SupervisedClient {
  readonly pid: number | null;
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the client and its keeper have ended. */
  readonly ended: Promise<void>;
  /** Ends the client. Idempotent. */
  end(): void;
}

export function supervisedClient(argv: readonly string[], env: Readonly<Record<string, string>>): SupervisedClient {
  const child = begun(argv, env);
  if (child === null) return neverBegun(Promise.resolve());
  if (isRefused(child)) return neverBegun(new Promise((resolve) => void child.once("error", () => resolve())));
  const { stdin, stdout } = child;
  const leash = child.stdio[3];
  if (stdin === null || stdout === null || !(leash instanceof Writable)) throw new TypeError("the client's pipes were not made");
  // A client that has ended closes its pipes; `ended` reports its end.
  for (const stream of [stdin, stdout, leash]) stream.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
  const end = () => void leash.end();
  stdout.once("end", end);
  return { pid: child.pid ?? null, input: stdin, output: stdout, ended, end };
}

/** Null if the system cannot start a program: Node throws for some reasons (ENOMEM, E2BIG), and reports others later. */
function begun(argv: readonly string[], env: Readonly<Record<string, string>>): ChildProcess | null {
  try {
    return spawn("/bin/sh", ["-c", SCRIPT, "tmpm-client", ...argv], {
      cwd: "/",
      env: { ...env },
      stdio: ["pipe", "pipe", "ignore", "pipe"],
      detached: true,
    });
  } catch (error) {
    if (error instanceof Error && "errno" in error) return null;
    throw error;
  }
}

/** Node creates no pipes if the system has no files left, and reports the error later. */
function isRefused(child: ChildProcess): boolean {
  const pipes: unknown = child.stdio;
  return !Array.isArray(pipes);
}

function neverBegun(ended: Promise<void>): SupervisedClient {
  return { pid: null, input: new PassThrough().resume(), output: Readable.from([]), ended, end: () => undefined };
}
