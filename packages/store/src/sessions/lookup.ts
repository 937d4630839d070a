import { isTerminal, normalizeTimestamp } from "@tmpm/core";
import type { Entry, ListFilter } from "../store.js";
import { isFields } from "./merge-document.js";

/** An entry with its data for ordering and filtering; damaged and unsupported entries do not contain whether they are archived. */
export interface Listed {
  readonly entry: Entry;
  readonly archived: boolean;
}

/** Newest first by `created_at`, then by id; entries without a time come last. */
export function sortListed<T extends Listed>(all: Iterable<T>): readonly T[] {
  const keyed = Array.from(all, (listed) => ({ listed, time: timeKey(listed.entry), id: entryId(listed.entry) }));
  keyed.sort((a, b) => compareText(b.time, a.time) || compareText(a.id, b.id));
  return keyed.map(({ listed }) => listed);
}

export function matches(listed: Listed, filter: ListFilter = {}): boolean {
  if (listed.archived && filter.archived !== true) return false;
  return filter.project_id === undefined || projectOf(listed.entry) === filter.project_id;
}

/** The entries named `text` or, without any, those that begin with it. */
export function findIn(entries: readonly Entry[], text: string): readonly Entry[] {
  if (text === "") return [];
  const exact = entries.filter((entry) => isNamed(entry, text));
  return exact.length > 0 ? exact : entries.filter((entry) => namesOf(entry).some((name) => name.startsWith(text)));
}

/** Entries are newest first, so the first match is the newest. */
export function findIssueIn(entries: readonly Entry[], issue: { readonly project_id: string; readonly issue_id: string }): Entry | null {
  return entries.find((entry) => worksOn(entry, issue)) ?? null;
}

/** The preferred one of several entries with one id: a usable record before others; the live one before the archived. */
export function compareRank(a: Listed, b: Listed): number {
  return rank(a) - rank(b);
}

const KINDS: Readonly<Record<Entry["kind"], number>> = { session: 0, unsupported: 2, damaged: 4 };

function rank({ entry, archived }: Listed): number {
  return KINDS[entry.kind] + (archived ? 1 : 0);
}

function worksOn(entry: Entry, { project_id, issue_id }: { readonly project_id: string; readonly issue_id: string }): boolean {
  if (entry.kind !== "session" || entry.archived || isTerminal(entry.record)) return false;
  return entry.record.project_id === project_id && entry.record.issue_id === issue_id;
}

function isNamed(entry: Entry, text: string): boolean {
  if (entry.kind !== "session") return namesOf(entry).includes(text);
  const { id, name, tmux_name } = entry.record;
  return name === text || id === text || tmux_name === text;
}

function namesOf(entry: Entry): readonly string[] {
  if (entry.kind === "session") return [entry.record.id, entry.record.name, entry.record.tmux_name];
  if (entry.kind === "damaged" || !isFields(entry.document)) return [entry.id];
  return [entry.id, entry.document.name, entry.document.tmux_name].filter((name) => typeof name === "string");
}

/** A text in the order of the times, to the nanosecond. */
function timeKey(entry: Entry): string {
  const time = createdAt(entry);
  return time === null ? "" : `${time.slice(0, 19)}.${time.slice(20, -1).padEnd(9, "0")}`;
}

function createdAt(entry: Entry): string | null {
  if (entry.kind === "session") return entry.record.created_at;
  if (entry.kind === "damaged" || !isFields(entry.document)) return null;
  const time = entry.document.created_at;
  return typeof time === "string" ? normalizeTimestamp(time) : null;
}

export function entryId(entry: Entry): string {
  return entry.kind === "session" ? entry.record.id : entry.id;
}

function projectOf(entry: Entry): string {
  return entry.kind === "session" ? entry.record.project_id : entry.project_id;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
