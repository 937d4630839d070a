import { computed, signal } from "@preact/signals";
import type { SessionAnswer } from "@tmpm/api";
import { standingText } from "@tmpm/api/standing";
import { about, type Section, sectionOf } from "../words/session-words.js";
import { kept } from "./kept.js";
import { foundOnScreens } from "./screen-search.js";
import { sorted } from "./sessions.js";

/** Words that every listed session must contain. */
export const filter = signal("");
/** Whether the filter is still this text. */
export function isFilter(text: string): boolean {
  return filter.value === text;
}

export const grouping = kept<"need" | "project">("grouping", "need", (value) => (value === "project" ? "project" : "need"));

export interface Group {
  readonly title: string;
  readonly sessions: readonly SessionAnswer[];
}

export function matches(session: SessionAnswer, text: string): boolean {
  const { name, agent, cwd, branch, project_id, task } = session;
  const all = [name, agent, cwd, branch ?? "", project_id, task, standingText(session), about(session)].join("\n").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** Groups in the order of their most urgent session; order within a group is preserved. */
export function grouped(sessions: readonly SessionAnswer[], by: "need" | "project"): readonly Group[] {
  const groups = new Map<string, SessionAnswer[]>();
  for (const session of sessions) {
    const title: Section | string = by === "need" ? sectionOf(session) : session.project_id;
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [session]);
    else group.push(session);
  }
  const all = [...groups].map(([title, members]) => ({ title, sessions: members }));
  return by === "need" ? all.sort((a, b) => ORDER.indexOf(a.title) - ORDER.indexOf(b.title)) : all;
}

const ORDER: readonly string[] = ["Needs you", "Working", "Ready", "Not running"] satisfies readonly Section[];

const shownSessions = computed(() => {
  const text = filter.value.trim();
  const lines = foundOnScreens.value?.lines;
  return text === "" ? sorted.value : sorted.value.filter((session) => matches(session, text) || lines?.has(session.id) === true);
});

export const groups = computed(() => grouped(shownSessions.value, grouping.value));
