import type { SessionAnswer } from "@tmpm/api";
import { grantText, visibleText } from "@tmpm/core";
import type { View } from "../context.js";
import { age, fromNow } from "./age.js";
import { decisionLine } from "./decision.js";
import { facts } from "./facts.js";
import { questionLine, reportLine } from "./message.js";
import { stateText } from "./state.js";
import { usageText } from "./tokens.js";

const FIRST = ["name", "id", "hint", "state", "activity", "decision", "question", "report", "turn", "agent", "cwd", "task", "project_id"];
/** Fields for programs only, or covered by another line. */
const NOT_SHOWN: ReadonlySet<string> = new Set(["schema_version", "rev", "status", "last_seen", "active_delegations", "repo_theme"]);

/** The fields for people, aligned; an ended session's last lines below. */
export function renderSession(session: SessionAnswer, view: View): string {
  const { last_lines, ...others } = session;
  const rest = Object.keys(others).filter((key) => !FIRST.includes(key) && !NOT_SHOWN.has(key));
  const rows = [...FIRST, ...rest].flatMap((key) => {
    const value = ((Object.hasOwn(SAID, key) ? SAID[key] : undefined) ?? said(key))(session, view.now);
    return value === "" ? [] : [[key, value]];
  });
  const lines = last_lines.map((line) => `  ${visibleText(line)}`);
  return [facts(rows, view), ...(lines.length === 0 ? [] : ["last_lines", ...lines])].join("\n");
}

type Say = (session: SessionAnswer, now: number) => string;

const SAID: Readonly<Record<string, Say>> = {
  state: stateText,
  activity({ activity: { state, source, confidence, since, observed_at, evidence, limit } }, now) {
    const seen = `since ${age(since, now)}, observed ${age(observed_at, now)} ago`;
    return `${state} (${source}, ${Math.round(confidence * 100)} %, ${seen})${[...evidence, ...limited(limit, now)].map((item) => `; ${item}`).join("")}`;
  },
  decision({ decision }) {
    if (decision === null) return "";
    const choices = decision.choices.map(({ label }, index) => `${index + 1} ${label}`);
    return [decisionLine(decision), ...choices].join("; ");
  },
  question: ({ question }, now) => (question ? questionLine(question, now) : ""),
  report: ({ report }, now) => (report ? reportLine(report, now) : ""),
  turn({ turn }, now) {
    if (turn === null) return "";
    const since = turn.started_at === null ? "" : ` for ${age(turn.started_at, now)}`;
    return `${turn.id.slice(0, 8)} ${turn.state.replaceAll("_", " ")}${since}: ${turn.prompt}`;
  },
  thought: ({ thought }) => thought.thought ?? "",
  queued: ({ queued }) => (queued === 0 ? "" : String(queued)),
  grant: ({ grant }) => (grant === null ? "" : grantText(grant)),
  usage: usageText,
  cost: ({ usage, cost }, now) => (usage === null ? plain(cost, now) : ""),
  workdir: ({ workdir, cwd }) => (workdir === cwd ? "" : workdir),
  project_path: ({ project_path, cwd }, now) => (project_path === cwd ? "" : plain(project_path, now)),
  agent_config: ({ agent_config }, now) => plain(withoutPath(agent_config), now),
};

function limited(limit: SessionAnswer["activity"]["limit"], now: number): readonly string[] {
  if (limit?.resets_at === null || limit?.resets_at === undefined) return [];
  return [`the usage limit resets ${fromNow(limit.resets_at, now)}${limit.source === null ? "" : `, by its ${limit.source}`}`];
}

function said(key: string): Say {
  return (session, now) => plain(session[key], now);
}

/** The program search path is long, and only for `--json`. */
function withoutPath(config: unknown): unknown {
  if (typeof config !== "object" || config === null) return config;
  return Object.fromEntries(Object.entries(config).filter(([key]) => key !== "search_path"));
}

function plain(value: unknown, now: number): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "string") return isTime(value) ? fromNow(value, now) : value;
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "" : JSON.stringify(value);
  return Object.entries(value)
    .map(([key, part]) => ({ key, part: plain(part, now) }))
    .filter(({ part }) => part !== "")
    .map(({ key, part }) => `${key}=${part}`)
    .join(" ");
}

function isTime(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value);
}
