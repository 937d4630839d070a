import * as z from "zod";
import { Correlation, SessionRecord, SessionState } from "../../session/record.js";
import { Rfc3339 } from "../../time/timestamp.js";
import { option, Uuid } from "../wire.js";

/** Fields of release 0.8.0 with the same name and meaning as ours, in the order in which serde writes them. */
const first = {
  id: Uuid,
  tmux_name: z.string(),
  cwd: z.string(),
  task: z.string(),
  state: SessionState,
  created_at: Rfc3339,
  last_activity_at: option(Rfc3339),
  workspace_path: option(z.string()),
  repo_url: option(z.string()),
  branch: option(z.string()),
  pending_decision: option(z.string()),
  proposed_default: option(z.string()),
  correlation: Correlation.default({ worktree: null, branch: null, pr_id: null, issue_id: null }),
};

/** Likewise, of later releases. */
const later = {
  ephemeral: z.boolean().default(false),
  workspace_owned: z.boolean().default(false),
  source_id: option(z.string()),
  scrollback_path: option(z.string()),
  last_cwd: option(z.string()),
  deliverable_id: option(z.string()),
  worktree_owner: option(z.string()),
  terminal_at: option(Rfc3339),
};

const renamed = ["agent", "conversation_id"];
const elsewhere = new Set([...Object.keys(first), ...Object.keys(later), ...renamed]);
const own = Object.fromEntries(Object.entries(SessionRecord.shape).filter(([field]) => !elsewhere.has(field)));

export const RuntimeKind = z.enum(["claude-code", "tcode"]);
export type RuntimeKind = z.infer<typeof RuntimeKind>;

export const AGENTS: Readonly<Record<RuntimeKind, string>> = { "claude-code": "claude", tcode: "tcode" };

/** A managed session's record (1.2), with our additions under `tmpm`. A stop cause may be in either case, so both are read. */
export const RecordDocument = z.looseObject({
  ...first,
  runtime: RuntimeKind.default("claude-code"),
  ...later,
  claude_session_id: option(z.string()),
  stop_cause: option(z.enum(["deliberate", "unexpected", "resume_flapping", "Deliberate", "Unexpected", "ResumeFlapping"])),
  tmpm: z.looseObject(own).partial().default({}),
});

export const FIRST_FIELDS: readonly string[] = Object.keys(first);
export const LATER_FIELDS: readonly string[] = Object.keys(later);
/** Later fields that our record lacks. A non-null one stays on it under its own name. */
export const THEIR_FIELDS: readonly string[] = ["scrollback_path"];
/** Fields of our record that theirs lacks or may lack; they are under `tmpm`. */
export const OWN_FIELDS: readonly string[] = Object.keys(own);
/** Fields of the record under a name of theirs that they must not read. */
export const RESERVED_FIELDS: readonly string[] = [...Object.keys(SessionRecord.shape), ...Object.keys(RecordDocument.shape)];
/** Names with another or an uncertain meaning in their documents. */
export const CLASHING_FIELDS: readonly string[] = [...OWN_FIELDS, ...renamed, "trusty_mpm"];
