import type { SessionAnswer } from "@tmpm/api";
import type { SessionRow } from "./schemas.js";

const TASK = 200;

export function rowOf(session: SessionAnswer, nowMs: number): SessionRow {
  const { id, name, agent, state, cwd, project_id, spawned_by, queued, hint, task, activity } = session;
  return {
    ...{ id, name, agent, state, cwd, project_id, spawned_by, queued, hint },
    task: Array.from(task).slice(0, TASK).join(""),
    activity: { state: activity.state, source: activity.source, since: activity.since, observed_at: activity.observed_at },
    age_s: Math.max(0, Math.round((nowMs - Date.parse(activity.observed_at)) / 1000)),
  };
}
