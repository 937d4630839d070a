import {
  compareTimestamps,
  correlated,
  isTerminal,
  normalizeTimestamp,
  type SessionRecord,
  type SessionState,
  type Timestamp,
  tmuxNameFromName,
  transition,
  uniqueName,
} from "@tmpm/core";
import type { ForeignProgram } from "@tmpm/store/foreign";

export interface Origin {
  readonly from: ForeignProgram;
  readonly id: string;
  readonly archived: boolean;
  readonly now: Timestamp;
  /** The names in use. */
  readonly taken: ReadonlySet<string>;
}

/**
 * A decoded record as it is stored: not believed to run, under a free name, in a tmux session of ours once it is resumed, in a workspace
 * that is not ours to remove, and without what another home of tmpm granted and planned. A finished session keeps its name, since those may
 * share one.
 */
export function importedRecord(decoded: SessionRecord, origin: Origin): SessionRecord {
  const { from, id, now, taken } = origin;
  const { let_go: _, ...rested } = atRest(decoded, origin);
  const name = isTerminal(rested) ? rested.name : uniqueName(rested.name, taken);
  return {
    ...rested,
    ...workOf(rested),
    ...NOT_TAKEN,
    rev: 0,
    name,
    tmux_name: tmuxNameFromName(name),
    updated_at: now,
    workspace_owned: false,
    imported: { from, id, at: now, tmux_name: decoded.tmux_name, workspace_owned: decoded.workspace_owned, ephemeral: decoded.ephemeral },
  };
}

/** Parts that mean something only in the home that they come from; none of its terminals was released by this one. */
const NOT_TAKEN = { grant: null, lineage: null, workspace: null, ephemeral: false, auto_resume: null } as const;

/** In words, what a session loses by its import. */
export function notTaken({ grant, lineage, workspace, ephemeral }: SessionRecord): readonly string[] {
  return [
    ...(grant === null ? [] : ["its rights over other sessions"]),
    ...(lineage === null ? [] : ["its place below another session"]),
    ...(workspace === null ? [] : ["the ownership of its workspace"]),
    ...(ephemeral ? ["its removal when it ends"] : []),
  ];
}

/** Issue and pull request have two forms, of which each program writes one. */
function workOf({ issue_id, claimed_pr_number, correlation }: SessionRecord): Partial<SessionRecord> {
  const issue = issue_id ?? (correlation.issue_id === null ? null : String(correlation.issue_id));
  const pull = claimed_pr_number ?? correlation.pr_id;
  return { issue_id: issue, claimed_pr_number: pull, correlation: correlated(correlation, { issue_id: issue, claimed_pr_number: pull }) };
}

/** The record in the form of its original program, for an export to the same: until tmpm has launched the session. */
export function exportedRecord(record: SessionRecord, to: ForeignProgram): SessionRecord {
  const { imported, ...rest } = record;
  const origin = originOf(imported);
  if (origin === null || origin.from !== to || launchedSince(record, origin.at)) return rest;
  return { ...rest, tmux_name: origin.tmux_name, workspace_owned: origin.workspace_owned, ephemeral: origin.ephemeral };
}

const LIVE: readonly SessionState[] = ["provisioning", "active"];

function atRest(decoded: SessionRecord, { archived, now }: Origin): SessionRecord {
  const stopped = LIVE.includes(decoded.state)
    ? transition(decoded, { type: "stopped", cause: "unexpected", exit: null, last_lines: decoded.last_lines }, now)
    : { ...decoded, pane: null, pid: null, intent: null };
  if (isTerminal(stopped)) return { ...stopped, terminal_at: stopped.terminal_at ?? now };
  return archived ? transition(stopped, { type: "decommissioned" }, now) : stopped;
}

function launchedSince({ launched_at }: SessionRecord, at: Timestamp): boolean {
  return launched_at !== null && compareTimestamps(launched_at, at) > 0;
}

interface Kept {
  readonly from: string;
  readonly at: string;
  readonly tmux_name: string;
  readonly workspace_owned: boolean;
  readonly ephemeral: boolean;
}

/** The origin of a session; null for one of our own. */
export function importedFrom({ imported }: SessionRecord): Pick<Kept, "from" | "tmux_name"> | null {
  return originOf(imported);
}

/** When a session was imported; null for one of our own. */
export function importedAt({ imported }: SessionRecord): Timestamp | null {
  if (typeof imported !== "object" || imported === null || !("at" in imported) || typeof imported.at !== "string") return null;
  return normalizeTimestamp(imported.at) === null ? null : imported.at;
}

/** The import data that `importedRecord` stored on the record; null when incomplete. */
function originOf(imported: unknown): Kept | null {
  if (typeof imported !== "object" || imported === null) return null;
  const { from, at, tmux_name, workspace_owned, ephemeral = false }: { readonly [Field in keyof Kept]?: unknown } = imported;
  if (typeof from !== "string" || typeof at !== "string" || typeof tmux_name !== "string" || typeof workspace_owned !== "boolean")
    return null;
  return normalizeTimestamp(at) === null ? null : { from, at, tmux_name, workspace_owned, ephemeral: ephemeral === true };
}
