import { computed, signal } from "@preact/signals";
import type { Problem, SessionAnswer, SessionList } from "@tmpm/api";
import { sortedByNeed, standing } from "@tmpm/api/standing";
import { questionOf } from "../words/session-words.js";

/** `opening` until the first response; `cut` while disconnected: the page then shows the last known state. */
export const connection = signal<"opening" | "live" | "cut">("opening");

export const sessions = signal<ReadonlyMap<string, SessionAnswer>>(new Map());
export const problems = signal<readonly Problem[]>([]);
export const silentHosts = signal<NonNullable<SessionList["silent"]>>([]);
/** Whether the daemon has listed its sessions yet. */
export const isListed = signal(false);

/** As `tmpm ls` sorts them. */
export const sorted = computed(() => sortedByNeed([...sessions.value.values()]));

export const needing = computed(() => sorted.value.filter((session) => standing(session).needsYou));

/** An approval or a question on an agent's screen, or a question that it asked through tmpm. */
export type OpenRequest =
  | { readonly kind: "decision"; readonly session: Deciding; readonly since: string }
  | { readonly kind: "question"; readonly session: Asking; readonly since: string };

export type Deciding = SessionAnswer & { readonly decision: NonNullable<SessionAnswer["decision"]> };
export type Asking = SessionAnswer & { readonly question: NonNullable<SessionAnswer["question"]> };

/** Open requests of all sessions, longest waiting first. */
export const requests = computed(() => sorted.value.flatMap(requestsOf).sort((a, b) => Date.parse(a.since) - Date.parse(b.since)));

/** A session's open requests: the screen's first, since it holds the agent up. */
export function requestsOf(session: SessionAnswer): readonly OpenRequest[] {
  const decision: readonly OpenRequest[] = decides(session) ? [{ kind: "decision", session, since: session.decision.since }] : [];
  const question: readonly OpenRequest[] = asks(session) ? [{ kind: "question", session, since: session.question.asked_at }] : [];
  return [...decision, ...question];
}

function decides(session: SessionAnswer): session is Deciding {
  return session.decision !== null;
}

function asks(session: SessionAnswer): session is Asking {
  return questionOf(session) !== null;
}

export function listed(list: SessionList): void {
  sessions.value = new Map(list.sessions.map((session) => [session.id, session]));
  problems.value = list.problems;
  silentHosts.value = list.silent ?? [];
  isListed.value = true;
}

export function seen(session: SessionAnswer): void {
  sessions.value = new Map(sessions.value).set(session.id, session);
}

/** Its question is closed; a later look shows its next one. */
export function questionClosed(id: string, question: string): void {
  const session = sessions.value.get(id);
  if (session !== undefined && questionOf(session)?.id === question) seen({ ...session, question: null });
}

export function gone(id: string): void {
  sessions.value = new Map([...sessions.value].filter(([each]) => each !== id));
}
