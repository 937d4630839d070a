import type { SessionAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import type { View } from "../context.js";
import { age } from "./age.js";
import { columns } from "./columns.js";
import { stateText } from "./state.js";

const FIRST = ["name", "id", "hint", "state", "activity", "agent", "cwd", "task", "project_id"];

/** Every fact that is set, aligned; the last lines of an ended session below. */
export function renderSession(session: SessionAnswer, { now }: View): string {
  const { last_lines, ...facts } = session;
  const rest = Object.keys(facts).filter((key) => !FIRST.includes(key));
  const rows = [...FIRST, ...rest].flatMap((key) => {
    const value = factText(key, session, now);
    return value === "" ? [] : [[key, value]];
  });
  const lines = last_lines.map((line) => `  ${visibleText(line)}`);
  return [columns(rows), ...(lines.length === 0 ? [] : ["last_lines", ...lines])].join("\n");
}

function factText(key: string, session: SessionAnswer, now: number): string {
  if (key === "state") return stateText(session);
  if (key === "activity") {
    const { state, source, confidence, since, observed_at, evidence } = session.activity;
    const seen = `since ${age(since, now)}, observed ${age(observed_at, now)} ago`;
    return `${state} (${source}, ${Math.round(confidence * 100)} %, ${seen})${evidence.map((item) => `; ${item}`).join("")}`;
  }
  const value = session[key];
  return isTime(value) ? `${value} (${age(value, now)} ago)` : plain(value);
}

function plain(value: unknown): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "string") return value;
  if (typeof value !== "object") return String(value);
  const set = Object.entries(value).filter(([, part]) => plain(part) !== "");
  if (set.length === 0) return "";
  return Array.isArray(value) ? JSON.stringify(value) : set.map(([key, part]) => `${key}=${plain(part)}`).join(" ");
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value);
}
