/**
 * Keeps a sessions file as trusty-mpm 0.8.0 does: the whole map in memory, read again when size or modification time moved, one unknown value fails the
 * whole file, unknown fields are dropped, everything is written to a fixed temporary name and renamed, nothing is locked or synced.
 */
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { linesOf } from "./lines.js";
import type { TrustyCommand } from "./worker.js";

type Document = Record<string, unknown>;

const path = process.argv[2] ?? "";
const KEPT = ["last_activity_at", "workspace_path", "repo_url", "branch", "pending_decision", "proposed_default"];
const STATES = ["provisioning", "active", "stopped", "errored", "decommissioned"];
let sessions = new Map<string, Document>();
let signature = "";

function parseRecord(document: Document): Document {
  const { id, tmux_name, cwd, task, state, created_at, correlation, runtime = "claude-code" } = document;
  for (const text of [id, tmux_name, cwd, task, created_at]) if (typeof text !== "string") throw new Error(`not a string: ${String(text)}`);
  if (!STATES.includes(String(state))) throw new Error(`unknown variant \`${String(state)}\``);
  if (!["claude-code", "tcode"].includes(String(runtime))) throw new Error(`unknown variant \`${String(runtime)}\``);
  const none = { worktree: null, branch: null, pr_id: null, issue_id: null };
  const kept = Object.fromEntries(KEPT.map((name) => [name, document[name] ?? null]));
  return { id, tmux_name, cwd, task, state, created_at, ...kept, correlation: correlation ?? none, runtime };
}

function signatureNow(): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.mtimeMs}:${stat.size}`;
}

function reloadIfChanged(): void {
  const now = signatureNow();
  if (now === signature && now !== "") return;
  const file = now === "" ? { sessions: {} } : JSON.parse(readFileSync(path, "utf8"));
  sessions = new Map(Object.entries<Document>(file.sessions).map(([id, document]) => [id, parseRecord(document)]));
  signature = now;
}

function save(): void {
  writeFileSync(`${path}.tmp`, JSON.stringify({ sessions: Object.fromEntries(sessions) }, null, 2));
  renameSync(`${path}.tmp`, path);
  signature = signatureNow();
}

function change({ id, fields }: { readonly id: string; readonly fields: Document }): void {
  sessions.set(id, parseRecord({ ...sessions.get(id), ...fields }));
}

/** Between reading and writing it awaits something else, as each operation of trusty-mpm does. */
async function churn({ id, times }: { readonly id: string; readonly times: number }): Promise<string> {
  for (let done = 0; done < times; done++) {
    reloadIfChanged();
    await sleep(done % 7);
    change({ id, fields: { task: `churn ${done}` } });
    save();
    await sleep(10);
  }
  return "churned";
}

function obey(command: TrustyCommand): unknown {
  switch (command.do) {
    case "read":
      reloadIfChanged();
      return Object.fromEntries(sessions);
    case "upsert":
      reloadIfChanged();
      change(command);
      save();
      return "saved";
    case "save-from-memory":
      change(command);
      save();
      return "saved";
    case "churn":
      return churn(command);
  }
}

async function answer(line: string): Promise<unknown> {
  try {
    return await obey(JSON.parse(line));
  } catch (error) {
    return { error: String(error) };
  }
}

for await (const line of linesOf(process.stdin)) process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
