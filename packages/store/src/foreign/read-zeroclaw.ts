import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { TmpmError } from "@tmpm/core";
import { storeFailure } from "../durable/store-failure.js";
import { copyUnchanged } from "./copy-unchanged.js";
import type { ForeignDocument, ForeignFiles } from "./foreign-files.js";
import { kindOf } from "./list-folder.js";
import { queryDatabase, type Row } from "./query-database.js";

const SESSIONS = "sessions";
const DATABASE = "acp-sessions.db";
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * The durable sessions of zeroclaw (zeroclaw 1.14): its data folder, its folder `sessions`, or the database itself. A copy is read, so that
 * a running zeroclaw is not disturbed and its write-ahead log is included.
 * @throws INVALID_ARGUMENT; FILE_NOT_FOUND also without `sqlite3`
 */
export async function readZeroclaw(path: string): Promise<Extract<ForeignFiles, { from: "zeroclaw" }>> {
  const source = databaseOf(path);
  const copy = mkdtempSync(join(tmpdir(), "tmpm-import-"));
  try {
    await copyDatabase(source, copy);
    const database = join(copy, DATABASE);
    const sessions = await queryDatabase({ database, source, table: "acp_sessions", order: "session_uuid" });
    const messages = await queryDatabase({ database, source, table: "acp_messages", order: "id" });
    const bySession = new Map<unknown, Row[]>();
    for (const message of messages) {
      const known = bySession.get(message.session_id);
      if (known === undefined) bySession.set(message.session_id, [message]);
      else known.push(message);
    }
    return { from: "zeroclaw", sessions: sessions.map((row) => documentOf(row, { source, messages: bySession.get(row.id) ?? [] })) };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function documentOf(row: Row, { source, messages }: { readonly source: string; readonly messages: readonly Row[] }): ForeignDocument {
  return { source, readable: true, document: { ...row, messages } };
}

function databaseOf(path: string): string {
  if (kindOf(path) === "file") return path;
  const base = basename(path) === SESSIONS ? path : join(path, SESSIONS);
  const database = join(base, DATABASE);
  if (kindOf(database) === "file") return database;
  throw invalid(path, `no ${DATABASE} in ${base}`);
}

/** Database and log are copied as they are at one moment: zeroclaw may write to them. */
async function copyDatabase(source: string, folder: string): Promise<void> {
  const files = ["", "-wal"].flatMap((suffix) => {
    const from = `${source}${suffix}`;
    return suffix === "" || ["file", "absent"].includes(kindOf(from)) ? [{ from, to: join(folder, `${DATABASE}${suffix}`) }] : [];
  });
  for (const { from } of files)
    if ((statSync(from, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES)
      throw invalid(source, `${from} is larger than ${MAX_BYTES} bytes`);
  try {
    if (await copyUnchanged(files)) return;
  } catch (error) {
    throw storeFailure(error, { doing: "cannot copy", path: source });
  }
  throw new TmpmError("INVALID_ARGUMENT", `${source} kept changing while it was copied`, {
    details: { field: "path", path: source },
    hint: "Stop zeroclaw, or import when it is idle.",
  });
}

function invalid(path: string, message: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, {
    details: { field: "path", path },
    hint: "Give the data folder of zeroclaw, or the file acp-sessions.db in its folder sessions.",
  });
}
