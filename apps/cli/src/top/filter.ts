import type { FleetSession, SessionAnswer } from "@tmpm/api";
import { lastWords, standing } from "../render/standing.js";

/** The preset views, in Tab order. */
export const VIEWS = ["all", "needs you", "working", "idle", "ended"] as const;
export type ViewName = (typeof VIEWS)[number];

const IN_VIEW: Record<ViewName, (session: SessionAnswer) => boolean> = {
  all: () => true,
  "needs you": (session) => standing(session).needsYou,
  working: (session) => ["working", "starting"].includes(standing(session).name),
  idle: (session) => ["idle", "unknown", "paused"].includes(standing(session).name),
  ended: (session) => ["stopped", "failed"].includes(standing(session).name),
};

export function inView(view: ViewName, session: SessionAnswer): boolean {
  return IN_VIEW[view](session);
}

export function nextView(view: ViewName): ViewName {
  return VIEWS[(VIEWS.indexOf(view) + 1) % VIEWS.length] ?? "all";
}

/** Values of a session's attribute, by the word before a colon. */
const FIELDS: ReadonlyMap<string, (session: FleetSession) => readonly string[]> = new Map([
  ["state", (session) => [standing(session).name, session.state, session.activity.state]],
  ["project", ({ project_id }) => [project_id]],
  ["agent", ({ agent }) => [agent]],
  ["node", ({ node }) => [node ?? "local"]],
]);

/** Whether a session matches all words of a filter; `state:`, `project:`, `agent:` and `node:` compare only that attribute. Case-insensitive. */
export function matchesFilter(filter: string, session: FleetSession): boolean {
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
    .every((word) => hasWord(word, session));
}

function hasWord(word: string, session: FleetSession): boolean {
  const [, name = "", value = ""] = /^(\w+):(.*)$/s.exec(word) ?? [];
  const field = FIELDS.get(name);
  if (field !== undefined) return field(session).some((text) => text.toLowerCase().startsWith(value));
  const { name: own, task, cwd, agent, project_id, branch } = session;
  const texts = [own, task, cwd, agent, project_id, branch ?? "", standing(session).name, lastWords(session)];
  return texts.some((text) => text.toLowerCase().includes(word));
}
