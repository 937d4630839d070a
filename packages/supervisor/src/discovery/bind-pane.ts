import { invalidState, type PaneInfo, type ReasonCode, type SessionRecord, type SessionState, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { importedFrom } from "../import/imported-record.js";
import { recordChange } from "../record-change.js";

export interface Binding {
  readonly pane: PaneInfo;
  readonly record: SessionRecord;
  readonly reason: ReasonCode;
}

const FROM: readonly SessionState[] = ["stopped", "errored"];

/**
 * Binds a terminal opened by another user to a session with a record: tags it, and changes nothing else. The caller holds the session's
 * queue. @throws INVALID_STATE for a session that runs or is finished, and the errors of `SessionHost.adopt` and the store
 */
export async function bindPane(ctx: Context, { pane, record, reason }: Binding): Promise<SessionRecord> {
  if (!(FROM.includes(record.state) || isTheirs(record)) || record.intent !== null)
    throw invalidState(record, { verb: "assign a terminal to", allowed: FROM, hint: "Stop it first." });
  const { identity, tmuxName, pid } = pane;
  await ctx.host.adopt(identity, record.id);
  const at = timestampFromMs(ctx.clock.now());
  const adopted = { socket: identity.socket, tmux_name: tmuxName, at };
  const after = await recordChange(ctx, {
    id: record.id,
    reason,
    change: () => ({ type: "found", pane: identity, pid }),
    // Its program was not launched by tmpm.
    also: () => ({ adopted, tmux_name: tmuxName, launched_at: null, control: ctx.host.at(identity).control }),
  });
  ctx.emit({ type: "session_adopted", at, session_id: record.id, reason, name: record.name, tmux_name: tmuxName });
  ctx.requests.sweep.notify();
  return after;
}

/** A session run by another program of a shared store: tmpm knows the terminal of every session that it launched. */
export function isTheirs({ state, pane }: Pick<SessionRecord, "state" | "pane">): boolean {
  return state === "active" && pane === null;
}

export interface Candidates {
  readonly pane: PaneInfo;
  /** Null when unknown. */
  readonly directory: string | null;
  readonly records: readonly SessionRecord[];
}

/** The imported session of this terminal: by its tmux name, its directory and, if recorded, its pane. Null for none, and for several. */
export function importedFor({ pane, directory, records }: Candidates): SessionRecord | null {
  const [found, another] = records.filter((record) => isTerminalOf(record, { pane, directory }));
  return found === undefined || another !== undefined ? null : found;
}

function isTerminalOf(record: SessionRecord, { pane, directory }: Pick<Candidates, "pane" | "directory">): boolean {
  const origin = importedFrom(record);
  if (origin === null || origin.tmux_name !== pane.tmuxName || record.launched_at !== null || record.adopted !== null) return false;
  if (record.state !== "stopped" || record.stop_cause !== "unexpected" || directory !== record.cwd) return false;
  return typeof record.pane_id !== "string" || record.pane_id === pane.identity.pane_id;
}
