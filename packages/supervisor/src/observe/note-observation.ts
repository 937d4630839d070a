import { msFromTimestamp, nameFromTmuxName, type PaneInfo, type SessionRecord, type Timestamp, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";

/** Minimum interval of notes for a session with output; a quiet one is noted less often. */
const PRINTING_MS = 60_000;
const QUIET_MS = 600_000;

/**
 * Records lasting facts from an observation of a live terminal: that it runs, that a user was attached, its current tmux name. Usually
 * nothing.
 */
export async function noteObservation(ctx: Context, seen: { readonly record: SessionRecord; readonly pane: PaneInfo }): Promise<void> {
  const nowMs = ctx.clock.now();
  if (seen.pane.viewers > 0) ctx.usage.limitResumes.acted(seen.record.id);
  const saidMs = ctx.observations.output(seen.record.id)?.atMs ?? null;
  const news = newsOf(seen.record, { pane: seen.pane, nowMs, saidMs });
  if (news === null) return;
  let from: string | null = null;
  const { tmux_name, ...rest } = news;
  await ctx.store.update(seen.record.id, (current) => {
    const still = current.state === "active" && current.pane?.pane_id === seen.pane.identity.pane_id;
    if (!still) return current;
    // The rename of a session records the new name itself.
    if (tmux_name === undefined || tmux_name === current.tmux_name || current.intent?.op === "rename") return { ...current, ...rest };
    from = current.tmux_name;
    return { ...current, ...news };
  });
  if (tmux_name === undefined || from === null) return;
  ctx.emit({
    type: "session_renamed",
    at: timestampFromMs(nowMs),
    session_id: seen.record.id,
    reason: "renamed_in_tmux",
    from: nameFromTmuxName(from),
    to: nameFromTmuxName(tmux_name),
  });
}

interface Noted {
  readonly pane: PaneInfo;
  readonly nowMs: number;
  /** When the screen last had new text. */
  readonly saidMs: number | null;
}

type News = Partial<Pick<SessionRecord, "last_seen_at" | "last_activity_at" | "viewed_at" | "tmux_name">>;

function newsOf(record: SessionRecord, { pane, nowMs, saidMs }: Noted): News | null {
  const now = timestampFromMs(nowMs);
  const viewed = pane.viewers > 0 && record.viewed_at === null;
  const renamed = pane.tmuxName !== record.tmux_name;
  const seen = isDue(record.last_seen_at ?? record.launched_at ?? record.created_at, { pane, nowMs });
  const said = saidMs !== null && saidMs - msOr0(record.last_activity_at) >= PRINTING_MS;
  if (!viewed && !renamed && !seen && !said) return null;
  return {
    last_seen_at: now,
    ...(said ? { last_activity_at: timestampFromMs(saidMs) } : {}),
    ...(viewed ? { viewed_at: now } : {}),
    ...(renamed ? { tmux_name: pane.tmuxName } : {}),
  };
}

function msOr0(at: Timestamp | null): number {
  return at === null ? 0 : msFromTimestamp(at);
}

function isDue(last: Timestamp, { pane, nowMs }: { readonly pane: PaneInfo; readonly nowMs: number }): boolean {
  const lastMs = msFromTimestamp(last);
  const printed = pane.activeAt * 1000 > lastMs;
  return Math.abs(nowMs - lastMs) >= (printed ? PRINTING_MS : QUIET_MS);
}
