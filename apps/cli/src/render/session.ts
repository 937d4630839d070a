import type { SessionAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import type { View } from "../context.js";
import { age, fromNow } from "./age.js";
import { facts } from "./facts.js";
import { stateText } from "./state.js";

const FIRST = ["name", "id", "hint", "state", "activity", "agent", "cwd", "task", "project_id"];

/** Every fact that is set, aligned; the last lines of an ended session below. */
export function renderSession(session: SessionAnswer, view: View): string {
  const { last_lines, ...others } = session;
  const rest = Object.keys(others).filter((key) => !FIRST.includes(key));
  const rows = [...FIRST, ...rest].flatMap((key) => {
    const value = factText(key, session, view.now);
    return value === "" ? [] : [[key, value]];
  });
  const lines = last_lines.map((line) => `  ${visibleText(line)}`);
  return [facts(rows, view), ...(lines.length === 0 ? [] : ["last_lines", ...lines])].join("\n");
}

function factText(key: string, session: SessionAnswer, now: number): string {
  if (key === "state") return stateText(session);
  if (key === "activity") {
    const { state, source, confidence, since, observed_at, evidence } = session.activity;
    const seen = `since ${age(since, now)}, observed ${age(observed_at, now)} ago`;
    return `${state} (${source}, ${Math.round(confidence * 100)} %, ${seen})${evidence.map((item) => `; ${item}`).join("")}`;
  }
  const value = session[key];
  return isTime(value) ? fromNow(value, now) : plain(value);
}

/** Times within what is nested are told as they are: nobody says what they mean. */
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
