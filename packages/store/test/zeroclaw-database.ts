import { spawnSync } from "node:child_process";

/** Reading the database needs the program; if it is missing, that is printed once. */
export const HAS_SQLITE = spawnSync("sqlite3", ["--version"]).status === 0;
if (!HAS_SQLITE) console.warn("skipped: reading zeroclaw's database, since sqlite3 is not installed");

/** As zeroclaw creates it (zeroclaw 1.14). */
export const ZEROCLAW_SCHEMA = `PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=OFF;
CREATE TABLE acp_sessions(id INTEGER PRIMARY KEY, session_uuid TEXT UNIQUE NOT NULL, agent_alias TEXT NOT NULL, workspace_dir TEXT NOT NULL,
  token_count INTEGER NOT NULL DEFAULT 0, killed_at TEXT, plan_json TEXT, created_at TEXT NOT NULL, last_activity TEXT NOT NULL);
CREATE TABLE acp_messages(id INTEGER PRIMARY KEY, session_id INTEGER NOT NULL REFERENCES acp_sessions(id) ON DELETE CASCADE, role TEXT NOT NULL,
  content TEXT NOT NULL, reasoning_content TEXT, created_at TEXT NOT NULL);`;
