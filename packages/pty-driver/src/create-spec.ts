import { stat } from "node:fs/promises";
import { type CreateSpec, TERMINAL_NAME, TERMINAL_TAG, TmpmError } from "@tmpm/core";
import { requireSize } from "./terminal-size.js";

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The session's name: as in tmux, `.` and `:` become `_`. @throws INVALID_ARGUMENT, DIRECTORY_NOT_FOUND */
export async function requireSpec(spec: CreateSpec): Promise<string> {
  if (!TERMINAL_TAG.test(spec.sessionId)) throw invalid("sessionId", `${JSON.stringify(spec.sessionId)} cannot tag a session`);
  requireSize(spec);
  const [program] = spec.argv;
  if (program === "" || program.startsWith("-")) throw invalid("argv", `${JSON.stringify(program)} is not a program`);
  for (const text of [spec.cwd, ...spec.argv, ...Object.values(spec.env)]) {
    if (text.includes("\0")) throw invalid("argv", "a NUL cannot be in a directory, an argument or the environment");
  }
  const unset = Object.keys(spec.env).find((name) => !VARIABLE.test(name));
  if (unset !== undefined) throw invalid("env", `${JSON.stringify(unset)} cannot be set`);
  const name = requireName(spec.tmuxName);
  await requireDirectory(spec.cwd);
  return name;
}

/** @throws INVALID_ARGUMENT */
export function requireName(name: string): string {
  if (TERMINAL_NAME.test(name)) return name.replace(/[.:]/g, "_");
  throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(name)} cannot be a session name`, {
    hint: "Use 1-64 ASCII letters, digits, - and _, not beginning with -.",
    details: { field: "tmuxName" },
  });
}

/** @throws INVALID_ARGUMENT unless it is a number of rows */
export function requireHistory(rows: number): void {
  if (!Number.isInteger(rows) || rows < 0) throw invalid("history", `${rows} is not a number of rows`);
}

async function requireDirectory(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (path.startsWith("/") && !(found instanceof Error) && found.isDirectory()) return;
  const kind = path.startsWith("/") ? "not a directory" : "not absolute";
  const why = found instanceof Error ? (found.code ?? "unreadable") : kind;
  throw new TmpmError("DIRECTORY_NOT_FOUND", `${JSON.stringify(path)} cannot be the working directory (${why})`, { details: { path } });
}

function invalid(field: string, message: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { details: { field } });
}
