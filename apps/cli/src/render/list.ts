import type { Problem, SessionAnswer, SessionList } from "@tmpm/api";
import type { View } from "../context.js";
import { age } from "./age.js";
import { clip, columns, oneLine } from "./columns.js";
import { decisionLine } from "./decision.js";
import { renderDiscovered } from "./discovered.js";
import { shortPath } from "./path.js";
import { stateText } from "./state.js";

const HEAD = ["NAME", "STATE", "AGENT", "AGE", "DIRECTORY", "TASK"];
const TASK_LENGTH = 60;

/** The table of sessions; below it what could not be read. Empty when there is nothing to tell. */
export function renderList({ sessions, problems, store, discovered = [] }: SessionList, view: View): string {
  const table = sessions.length === 0 ? [] : [columns([HEAD, ...sessions.map((session) => row(session, view))])];
  const degraded =
    store.state === "ok" ? [] : [`the records cannot be read, so these are the last known: ${oneLine(store.message ?? "no reason given")}`];
  const conflicts = (store.conflicts ?? []).map(
    ({ id, path }) => `another program overwrote a change of ${oneLine(id)}; both are in ${oneLine(path)}`,
  );
  const others = discovered.length === 0 ? [] : [...(table.length === 0 ? [] : [""]), renderDiscovered({ discovered }, view)];
  return [...table, ...problems.map(problemLine), ...conflicts, ...degraded, ...others].join("\n");
}

function row(session: SessionAnswer, { now, userHome }: View): readonly string[] {
  const about = session.decision === null ? (session.hint ?? session.thought.thought ?? session.task) : decisionLine(session.decision);
  return [
    session.name,
    stateText(session),
    session.agent,
    age(session.activity.observed_at, now),
    shortPath(session.cwd, userHome),
    clip(`${queuedText(session)}${about.split("\n", 1)[0] ?? ""}`, TASK_LENGTH),
  ];
}

/** How many prompts wait behind what is shown. */
function queuedText({ queued }: SessionAnswer): string {
  return queued === 0 ? "" : `[${queued} queued] `;
}

function problemLine({ kind, id, project_id, reason }: Problem): string {
  return oneLine(`${kind} record ${id} in project ${project_id}: ${reason}`);
}
