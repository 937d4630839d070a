import type { ActivityState } from "@tmpm/core";
import type { SessionAnswer } from "./contracts/session.js";

export { lastKnown } from "./last-known.js";

export type StandingName =
  | "approval"
  | "question"
  | "blocked"
  | "error"
  | "failed"
  | "working"
  | "starting"
  | "idle"
  | "unknown"
  | "paused"
  | "stopped";

/** The status of a session for display: a word, a sign that needs neither colour nor Unicode, and whether the user has to act. */
export interface Standing {
  readonly name: StandingName;
  readonly sign: string;
  readonly tone: "red" | "yellow" | "green" | "cyan" | "plain" | "faint";
  readonly needsYou: boolean;
}

/** The order of every list. */
const STANDINGS: readonly Standing[] = [
  { name: "approval", sign: "!", tone: "yellow", needsYou: true },
  { name: "question", sign: "?", tone: "yellow", needsYou: true },
  { name: "blocked", sign: "#", tone: "yellow", needsYou: true },
  { name: "error", sign: "X", tone: "red", needsYou: true },
  { name: "failed", sign: "x", tone: "red", needsYou: false },
  { name: "working", sign: "*", tone: "green", needsYou: false },
  { name: "starting", sign: "+", tone: "green", needsYou: false },
  { name: "idle", sign: "-", tone: "cyan", needsYou: false },
  { name: "unknown", sign: "~", tone: "plain", needsYou: false },
  { name: "paused", sign: "=", tone: "plain", needsYou: false },
  { name: "stopped", sign: ".", tone: "faint", needsYou: false },
];

/** Cached, because sorting a thousand sessions makes about twenty thousand comparisons. */
const RANKED = new Map(STANDINGS.map((each, rank) => [each.name, { ...each, rank }]));

/** The meaning of every sign, in the order of the lists. */
export const SIGN_LEGEND: readonly string[] = STANDINGS.map(({ sign, name }) => `${sign} ${name}`);

const OF_ACTIVITY: Record<ActivityState, StandingName> = {
  awaiting_approval: "approval",
  awaiting_input: "question",
  blocked: "blocked",
  errored: "error",
  working: "working",
  starting: "starting",
  idle: "idle",
  unknown: "unknown",
  exited: "stopped",
};

export function standing(session: SessionAnswer): Standing {
  return ranked(session);
}

/** The status as text, with the reason for a stop unless a caller requested it, and the kind of finish. */
export function standingText(session: SessionAnswer): string {
  const { state, stop_cause, exit } = session;
  const { name } = standing(session);
  const was = wasText(session);
  if (was !== null) return `unknown (${was})`;
  if (name !== "stopped") return name;
  if (isTerminal(session)) return state;
  // A known cause says more than that the stop was not requested.
  if (state === "stopped" && stop_cause === "unexpected" && exit !== null) return endedText(exit);
  return state === "stopped" && stop_cause !== null && stop_cause !== "deliberate" ? `stopped, ${stop_cause}` : name;
}

/** The status at its node's last response; null if the node responds. */
export function wasText(session: SessionAnswer): string | null {
  const { state, was } = session;
  if (typeof was !== "string") return null;
  return `was ${state === "active" ? was.replaceAll("_", " ") : standing({ ...session, was: null }).name}`;
}

function endedText({ status, signal }: NonNullable<SessionAnswer["exit"]>): string {
  if (signal !== null) return `ended, signal ${signal}`;
  return status === null ? "ended" : `ended, status ${status}`;
}

/** Sessions that need the user come first, the longest waiting before the others; the rest by status, then by name. */
export function byNeed(a: SessionAnswer, b: SessionAnswer): number {
  return compareNeeds(needOf(a), needOf(b));
}

/** In the order of `byNeed`, which reads each session many times. */
export function sortedByNeed<S extends SessionAnswer>(sessions: readonly S[]): readonly S[] {
  const needs = sessions.map((session) => ({ session, ...needOf(session) }));
  return needs.sort(compareNeeds).map(({ session }) => session);
}

interface Need {
  readonly rank: number;
  /** Milliseconds since 1970; 0 for one that does not need the user. */
  readonly sinceMs: number;
  readonly name: string;
}

function needOf(session: SessionAnswer): Need {
  const { rank, needsYou } = ranked(session);
  return { rank, sinceMs: needsYou ? Date.parse(waitsSince(session)) : 0, name: session.name };
}

function compareNeeds(a: Need, b: Need): number {
  return a.rank - b.rank || a.sinceMs - b.sinceMs || (a.name < b.name ? -1 : Number(a.name > b.name));
}

function ranked(session: SessionAnswer): Standing & { readonly rank: number } {
  const name = nameOf(session);
  return RANKED.get(name) ?? { name, sign: "~", tone: "plain", needsYou: false, rank: RANKED.size };
}

function nameOf(session: SessionAnswer): StandingName {
  const { state, paused_at, activity, question, was } = session;
  // Its node does not respond, so the record may have changed since.
  if (typeof was === "string") return "unknown";
  if (state === "provisioning") return "starting";
  if (state === "errored") return "failed";
  if (state === "stopped" || isTerminal(session)) return "stopped";
  if (paused_at !== null) return "paused";
  const name = OF_ACTIVITY[activity.state];
  // A question on the screen blocks the agent, so it comes first. Older daemons do not report questions.
  return (question ?? null) !== null && RANKED.get(name)?.needsYou !== true ? "question" : name;
}

/** The time since when it has this status. */
export function waitsSince({ activity, question }: SessionAnswer): string {
  const isShown = RANKED.get(OF_ACTIVITY[activity.state])?.needsYou === true;
  return isShown ? activity.since : (question?.asked_at ?? activity.since);
}

/** Final states. */
function isTerminal({ state }: Pick<SessionAnswer, "state">): boolean {
  return state === "decommissioned" || state === "deleted";
}
