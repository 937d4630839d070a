import * as z from "zod";
import type { Document } from "../document.js";
import { isFields, present, without } from "../fields.js";
import { invalid, type Reading, read } from "../reading.js";
import { option, U32, U64 } from "../wire.js";
import { AoAgentConfig, withoutAlias } from "./agent-config.js";
import { U64Text } from "./u64.js";

export const AoStatus = z.enum([
  "spawning",
  "working",
  "pr_open",
  "ci_failed",
  "review_pending",
  "changes_requested",
  "approved",
  "mergeable",
  "merge_failed",
  "merged",
  "cleanup",
  "needs_input",
  "stuck",
  "errored",
  "killed",
  "idle",
  "done",
  "terminated",
]);
export type AoStatus = z.infer<typeof AoStatus>;

export const AoActivity = z.enum(["active", "ready", "idle", "waiting_input", "blocked", "exited"]);
export type AoActivity = z.infer<typeof AoActivity>;

const TERMINAL: readonly AoStatus[] = ["killed", "terminated", "done", "cleanup", "errored", "merged"];

const CostEstimate = z.looseObject({
  input_tokens: U64,
  output_tokens: U64,
  cache_read_tokens: U64.default(0),
  cache_creation_tokens: U64.default(0),
  cost_usd: option(z.number()),
});

/** The last millisecond that RFC 3339 can represent. */
const MAX_MS = 253_402_300_799_999;

/** A session's document (ao-rs 1.1), in serde's field order. `created_at` is in milliseconds since 1970. */
export const AoSession = z.looseObject({
  id: z.string().min(1),
  project_id: z.string(),
  status: AoStatus,
  agent: z.string().default("claude-code"),
  agent_config: option(AoAgentConfig),
  branch: z.string(),
  task: z.string(),
  workspace_path: option(z.string()),
  runtime_handle: option(z.string()),
  runtime: z.string().default("tmux"),
  activity: option(AoActivity),
  created_at: U64.max(MAX_MS),
  cost: option(CostEstimate),
  issue_id: option(z.string()),
  issue_url: option(z.string()),
  claimed_pr_number: option(U32),
  claimed_pr_url: option(z.string()),
  initial_prompt_override: option(z.string()),
  spawned_by: option(z.string()),
  last_merge_conflict_dispatched: option(z.boolean()),
  last_review_backlog_fingerprint: option(U64Text),
  last_automated_review_fingerprint: option(U64Text),
  last_automated_review_dispatch_hash: option(U64Text),
});
export type AoSession = z.infer<typeof AoSession>;

const NULLABLE = ["workspace_path", "runtime_handle", "activity"];
const OPTIONAL: readonly string[] = Object.entries(AoSession.shape).flatMap(([name, schema]) =>
  schema.safeParse(undefined).data === null && !NULLABLE.includes(name) ? [name] : [],
);

export function decodeSession(document: unknown): Reading<AoSession> {
  return read(AoSession, withoutAlias(document));
}

/** Without unset optional keys; the other three are written as null. */
export function encodeSession(session: AoSession): Document {
  const result = z.safeEncode(AoSession, session);
  if (!result.success) throw invalid(result.error.issues);
  const document: Document = result.data;
  const unset = OPTIONAL.filter((name) => document[name] === null);
  const config = document.agent_config;
  return without({ ...document, ...(isFields(config) ? { agent_config: present(config) } : {}) }, unset);
}

/** Terminal states (ao-rs 1.2). */
export function aoIsTerminal({ status, activity }: Pick<AoSession, "status" | "activity">): boolean {
  return TERMINAL.includes(status) || activity === "exited";
}

/** Ended, and restorable by ao-rs. */
export function aoIsRestorable(session: Pick<AoSession, "status" | "activity">): boolean {
  return aoIsTerminal(session) && session.status !== "merged";
}
