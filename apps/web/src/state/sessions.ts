import { computed, signal } from "@preact/signals";
import type { Problem, SessionAnswer, SessionList } from "@tmpm/api";
import { byNeed, standing } from "@tmpm/api/standing";

/** `opening` until the first response; `cut` while disconnected: the page then shows the last known state. */
export const connection = signal<"opening" | "live" | "cut">("opening");

export const sessions = signal<ReadonlyMap<string, SessionAnswer>>(new Map());
export const problems = signal<readonly Problem[]>([]);
export const silentHosts = signal<NonNullable<SessionList["silent"]>>([]);
/** Whether the daemon has listed its sessions yet. */
export const isListed = signal(false);

/** As `tmpm ls` sorts them. */
export const sorted = computed(() => [...sessions.value.values()].sort(byNeed));

export const needing = computed(() => sorted.value.filter((session) => standing(session).needsYou));

/** Open requests, longest waiting first. */
export const decisions = computed(() =>
  sorted.value.filter(({ decision }) => decision !== null).sort((a, b) => waitingSince(a) - waitingSince(b)),
);

export function listed(list: SessionList): void {
  sessions.value = new Map(list.sessions.map((session) => [session.id, session]));
  problems.value = list.problems;
  silentHosts.value = list.silent ?? [];
  isListed.value = true;
}

export function seen(session: SessionAnswer): void {
  sessions.value = new Map(sessions.value).set(session.id, session);
}

export function gone(id: string): void {
  sessions.value = new Map([...sessions.value].filter(([each]) => each !== id));
}

function waitingSince({ decision }: SessionAnswer): number {
  return Date.parse(decision?.since ?? "");
}
