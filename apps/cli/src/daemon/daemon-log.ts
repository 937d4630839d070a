import { closeSync, constants, fstatSync, lstatSync, mkdtempSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openOwnFile } from "@tmpm/api/local";
import { ERRORS, type ErrorCode, isTmpmError, TmpmError } from "@tmpm/core";

const MAX_LOG_BYTES = 10 * 1024 * 1024;
/** Numbered as by pino. */
const ERROR_LEVEL = 50;
const LINE_END = 0x0a;
const CHUNK_BYTES = 64 * 1024;
/** Of lines, however long they are. */
const MOST_TAIL_BYTES = 16 * 1024 * 1024;

/** The log output of a new daemon. */
export interface DaemonLog {
  readonly fd: number;
  /** Provides the lines written from now on. */
  lines(count: number): readonly string[];
}

/**
 * Opens the log for a new daemon; a large one is rotated first. If the log is not writable, the daemon starts without one: `doctor` reports the cause,
 * and the output of a daemon that exits at once is read from an unlinked file.
 */
export function openLog(path: string): DaemonLog {
  try {
    if ((lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
    const fd = openOwnFile(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
    const from = fstatSync(fd).size;
    return { fd, lines: (lines) => tailLog(path, { from, lines }) };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const fd = namelessFile();
    return { fd, lines: (lines) => tailOf(fd, { from: 0, lines }) };
  }
}

function namelessFile(): number {
  try {
    const folder = mkdtempSync(join(tmpdir(), "tmpm-log-"));
    try {
      return openSync(join(folder, "log"), constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL, 0o600);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    return openSync("/dev/null", "r+");
  }
}

interface Tail {
  readonly from: number;
  readonly lines: number;
}

/** The last lines written after an offset; empty without a log. */
export function tailLog(path: string, tail: Tail): readonly string[] {
  const fd = openToRead(path);
  if (fd === null) return [];
  try {
    return tailOf(fd, tail);
  } finally {
    closeSync(fd);
  }
}

/** Reads backwards until there are enough lines. */
function tailOf(fd: number, { from, lines }: Tail): readonly string[] {
  const size = fstatSync(fd).size;
  const least = Math.max(from, size - MOST_TAIL_BYTES);
  const chunks: Buffer[] = [];
  let [start, ends] = [size, 0];
  // One end more than lines: the first line in hand may have begun before.
  while (lines > 0 && start > least && ends <= lines) {
    const bytes = Buffer.alloc(Math.min(CHUNK_BYTES, start - least));
    start -= bytes.length;
    const chunk = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, start));
    ends += chunk.filter((byte) => byte === LINE_END).length;
    chunks.unshift(chunk);
  }
  const all = Buffer.concat(chunks).toString("utf8").split("\n");
  const whole = start > from ? all.slice(1) : all;
  return lines === 0 ? [] : whole.filter((line) => line !== "").slice(-lines);
}

/** Null without a readable log. */
function openToRead(path: string): number | null {
  try {
    return openOwnFile(path, constants.O_RDONLY);
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** The daemon's reported reason for ending: its last log line of level `error` with a code. */
export function lastLoggedError(lines: readonly string[]): TmpmError | null {
  return lines.map(errorIn).findLast(isTmpmError) ?? null;
}

function errorIn(line: string): TmpmError | null {
  const entry = parseEntry(line);
  if (!isObject(entry) || typeof entry.level !== "number" || entry.level < ERROR_LEVEL || typeof entry.msg !== "string") return null;
  const code = Object.keys(ERRORS).find((known): known is ErrorCode => known === entry.code);
  if (code === undefined) return null;
  return new TmpmError(code, entry.msg, {
    ...(typeof entry.hint === "string" ? { hint: entry.hint } : {}),
    details: isObject(entry.details) ? entry.details : {},
  });
}

function parseEntry(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
