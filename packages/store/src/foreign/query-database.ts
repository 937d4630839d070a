import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { errnoOf, TmpmError } from "@tmpm/core";
import { parseJson } from "./parse-json.js";

export type Row = Readonly<Record<string, unknown>>;

export interface Query {
  /** The file to open; it may be written. */
  readonly database: string;
  /** Its name in messages. */
  readonly source: string;
  readonly table: "acp_sessions" | "acp_messages";
  readonly order: "session_uuid" | "id";
}

const MAX_OUTPUT = 256 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/**
 * All rows of a table, read by the program `sqlite3`: Node has no SQLite of its own before version 22. @throws FILE_NOT_FOUND without
 * `sqlite3`, INVALID_ARGUMENT
 */
export async function queryDatabase({ database, source, table, order }: Query): Promise<readonly Row[]> {
  const argv = ["-batch", "-bail", "-init", "/dev/null", "-json", database, `SELECT * FROM ${table} ORDER BY ${order}`];
  const text = await run(argv, source);
  if (text.trim() === "") return [];
  const content = parseJson(text);
  if (content.readable && Array.isArray(content.document)) return content.document;
  throw unreadable(source, content.readable ? "sqlite3 did not print rows" : content.reason);
}

async function run(argv: readonly string[], source: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("sqlite3", argv, { encoding: "utf8", maxBuffer: MAX_OUTPUT, timeout: TIMEOUT_MS });
    return stdout;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") {
      throw new TmpmError("FILE_NOT_FOUND", "sqlite3 was not found, and zeroclaw keeps its sessions in an SQLite database", {
        details: { command: "sqlite3" },
        hint: "Install sqlite3, version 3.33 or newer, where the daemon's PATH finds it, and import again.",
      });
    }
    throw unreadable(source, stderrOf(error));
  }
}

function stderrOf(error: unknown): string {
  const { stderr = "" } = error instanceof Error && "stderr" in error ? { stderr: String(error.stderr) } : {};
  return stderr.trim().split("\n").at(0) || "sqlite3 ended without an answer";
}

function unreadable(source: string, reason: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `${source} cannot be imported: ${reason}`, { details: { field: "path", path: source } });
}
