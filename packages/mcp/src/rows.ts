import type { SessionAnswer } from "@tmpm/api";
import type { SessionRow } from "./schemas.js";

const TASK = 200;

export function rowOf(session: SessionAnswer, nowMs: number): SessionRow {
  const { id, name, agent, state, cwd, project_id, spawned_by, queued, hint, task, activity, question = null, report = null } = session;
  return {
    ...{ id, name, agent, state, cwd, project_id, spawned_by, queued, hint },
    task: beginning(task),
    question: question === null ? null : { id: question.id, question: beginning(question.question), choices: question.choices.length },
    report: report === null ? null : { kind: report.kind, text: beginning(report.text), at: report.at },
    activity: { state: activity.state, source: activity.source, since: activity.since, observed_at: activity.observed_at },
    age_s: Math.max(0, Math.round((nowMs - Date.parse(activity.observed_at)) / 1000)),
  };
}

function beginning(text: string): string {
  return Array.from(text).slice(0, TASK).join("");
}
