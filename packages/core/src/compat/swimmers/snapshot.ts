import { ThoughtSnapshot } from "../../activity/thought.js";
import { only } from "../fields.js";
import { orThrow, read } from "../reading.js";
import type { PersistedSession } from "./persisted-session.js";

const SAME = Object.keys(ThoughtSnapshot.shape).filter((field) => field !== "updated_at");

/** The agent's last thought as a snapshot of ours; null where there is none. */
export function snapshotOf(session: PersistedSession): ThoughtSnapshot | null {
  const { thought, thought_updated_at, token_count, commit_candidate, action_cues, last_activity_at } = session;
  const silent = thought === null && thought_updated_at === null && token_count === 0 && !commit_candidate && action_cues.length === 0;
  if (silent) return null;
  return orThrow(read(ThoughtSnapshot, { ...only(session, SAME), updated_at: thought_updated_at ?? last_activity_at }));
}
