import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { visibleText } from "@tmpm/core";
import { killGroup } from "../files/kill-group.js";

export interface LineOptions {
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/** The end of a command, with the end of its output. */
export interface LineRun {
  /** Null on success. */
  readonly failure: string | null;
  readonly output: string;
}

/** Length of the kept end of the output, in bytes. */
const KEPT_BYTES = 64 * 1024;

/** Ends the whole group when the pipe on descriptor 3 closes, so the command ends with the daemon. */
const WATCHED = '(read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&-; exec /bin/sh -c "$1"';

/** How long to read output after the command has ended, in ms: a process that left the group may keep it open indefinitely. */
const DRAIN_MS = 500;

/** Runs a command with `/bin/sh` in a process group of its own, which is ended afterwards. */
export async function runLine(line: string, { directory, env, timeoutMs }: LineOptions): Promise<LineRun> {
  const child = begun(line, { directory, env });
  if (typeof child === "string") return { failure: child, output: "" };
  const kept = tail();
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", kept.take);
  // Its reader ended with the group.
  child.stdio[3]?.on("error", () => undefined);
  const deadline = timer(timeoutMs);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const ended = await Promise.race([endOf(child), deadline.passed]);
  deadline.cancel();
  killGroup(child.pid);
  const drained = timer(DRAIN_MS);
  await Promise.race([closed, drained.passed]);
  drained.cancel();
  for (const stream of child.stdio) stream?.destroy();
  const failure = ended === "late" ? `was ended after ${Math.round(timeoutMs / 1000)} s` : ended;
  return { failure, output: kept.text() };
}

/** Why it could not be started, when known at once: Node throws some errors, and reports others later without having created pipes. */
function begun(line: string, { directory, env }: Omit<LineOptions, "timeoutMs">): ChildProcess | string {
  try {
    const child = spawn("/bin/sh", ["-c", WATCHED, "tmpm", line], {
      cwd: directory,
      env: { ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    const pipes: unknown = child.stdio;
    if (Array.isArray(pipes)) return child;
    child.once("error", () => "it is reported already");
    return "could not be started: no file descriptors are free";
  } catch (error) {
    if (!(error instanceof Error && "errno" in error)) throw error;
    return `could not be started: ${error.message}`;
  }
}

/** Null on success. */
function endOf(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve(`could not be started: ${message}`));
    child.once("exit", (status, signal) =>
      resolve(status === 0 ? null : status === null ? `was ended by ${signal}` : `ended with status ${status}`),
    );
  });
}

function timer(ms: number): { readonly passed: Promise<"late">; cancel(): void } {
  let timeout: NodeJS.Timeout | undefined;
  const passed = new Promise<"late">((resolve) => {
    timeout = setTimeout(() => resolve("late"), ms);
  });
  return { passed, cancel: () => clearTimeout(timeout) };
}

function tail() {
  let bytes = Buffer.alloc(0);
  return {
    take(chunk: Buffer) {
      bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length > 2 * KEPT_BYTES) bytes = bytes.subarray(-KEPT_BYTES);
    },
    text: () => bytes.subarray(-KEPT_BYTES).toString("utf8"),
  };
}

/** The last lines of an output, sanitized for display. */
export function lastLinesOf(output: string, count: number): readonly string[] {
  return stripVTControlCharacters(output)
    .split(/\r*\n|\r/)
    .filter((line) => line.trim() !== "")
    .slice(-count)
    .map((line) => visibleText(line).slice(0, 500));
}
