import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, renameSync } from "node:fs";
import { openOwnFile } from "@tmpm/api/local";
import { ERRORS, type ErrorCode, isTmpmError, TmpmError } from "@tmpm/core";

const MAX_LOG_BYTES = 10 * 1024 * 1024;
/** As pino numbers it. */
const ERROR_LEVEL = 50;
const TAIL_BYTES = 64 * 1024;

/** Opens the log for a new daemon; a large one is rotated first. If the log is not writable, the daemon starts without one: `doctor` names the cause. */
export function openLog(path: string): number {
  try {
    if ((lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
    return openOwnFile(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return openSync("/dev/null", "w");
  }
}

export function logSize(fd: number): number {
  return fstatSync(fd).size;
}

/** The last lines written after an offset; none without a log. */
export function tailLog(path: string, { from, lines }: { from: number; lines: number }): readonly string[] {
  const fd = openToRead(path);
  if (fd === null) return [];
  try {
    const size = fstatSync(fd).size;
    const start = Math.max(from, size - TAIL_BYTES);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    const read = readSync(fd, bytes, 0, bytes.length, start);
    const all = bytes.toString("utf8", 0, read).split("\n");
    return lines === 0 ? [] : all.filter((line) => line !== "").slice(-lines);
  } finally {
    closeSync(fd);
  }
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
