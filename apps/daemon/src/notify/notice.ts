import type { Notice, NoticeEntry } from "@tmpm/api";
import type { Happening } from "./happenings.js";

export type { Notice, NoticeEntry };
export type NoticeKind = NoticeEntry["kind"];

/** The facts of a session at notification time. */
export interface NoticeSubject {
  readonly id: string;
  readonly name: string;
  readonly project_id: string;
  readonly agent: string;
  readonly state: string;
  readonly activity: string;
  readonly question: string | null;
  readonly hint: string | null;
}

const URGENCY: readonly NoticeKind[] = ["needs_you", "failed", "finished"];

const WAITS: Readonly<Record<string, string>> = {
  awaiting_approval: "waits for your approval",
  awaiting_input: "waits for your answer",
  blocked: "is blocked by a dialog",
};

export function noticeEntry({ kind, at, message }: Happening, session: NoticeSubject): NoticeEntry {
  return {
    kind,
    at,
    session_id: session.id,
    session: session.name,
    project_id: session.project_id,
    agent: session.agent,
    state: session.state,
    activity: session.activity,
    message: message ?? WAITS[session.activity] ?? "needs you",
    question: kind === "needs_you" ? session.question : null,
    hint: session.hint,
  };
}

/** Of several happenings, the latest of the most urgent kind. */
export function mostUrgent(happenings: readonly Happening[]): Happening | null {
  return URGENCY.flatMap((kind) => happenings.findLast((happening) => happening.kind === kind) ?? [])[0] ?? null;
}

/** One notice of all events, most urgent first. It contains names and events only, never an agent's text. */
export function noticeOf(entries: readonly NoticeEntry[], { id, at }: { readonly id: string; readonly at: string }): Notice {
  const sorted = entries.toSorted((a, b) => URGENCY.indexOf(a.kind) - URGENCY.indexOf(b.kind));
  const lines = sorted.map(({ session, message }) => `${session} ${message}`);
  const [first] = sorted;
  if (first === undefined || sorted.length > 1)
    return { id, at, kind: first?.kind ?? "finished", title: counted(sorted), body: lines.join("\n"), entries: sorted };
  return {
    id,
    at,
    kind: first.kind,
    title: lines[0] ?? "",
    body: `${first.agent}, project ${first.project_id}: tmpm attach ${first.session}`,
    entries: sorted,
  };
}

function counted(entries: readonly NoticeEntry[]): string {
  const words = { needs_you: "need you", failed: "failed", finished: "finished" };
  const parts = URGENCY.map((kind) => ({ kind, count: entries.filter((entry) => entry.kind === kind).length })).filter(
    ({ count }) => count > 0,
  );
  return `${entries.length} sessions: ${parts.map(({ kind, count }) => `${count} ${kind === "needs_you" && count === 1 ? "needs you" : words[kind]}`).join(", ")}`;
}
