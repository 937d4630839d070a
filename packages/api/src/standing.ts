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

/** How a session stands, as people see it: a word, a sign that needs neither colour nor Unicode, and whether the user has to act. */
export interface Standing {
  readonly name: StandingName;
  readonly sign: string;
  readonly tone: "red" | "yellow" | "green" | "cyan" | "plain" | "faint";
  readonly needsYou: boolean;
}

/** What comes first in every list. */
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

/** Sorting a thousand sessions asks twenty thousand times. */
const RANKED = new Map(STANDINGS.map((each, rank) => [each.name, { ...each, rank }]));

/** What every sign means, in the order of the lists. */
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

/** In words: also why it stopped, unless a caller stopped it, and how it is finished. */
export function standingText(session: SessionAnswer): string {
  const { state, stop_cause, exit } = session;
  const { name } = standing(session);
  const was = wasText(session);
  if (was !== null) return `unknown (${was})`;
  if (name !== "stopped") return name;
  if (isTerminal(session)) return state;
  // What is known of its end says more than that it was not requested.
  if (state === "stopped" && stop_cause === "unexpected" && exit !== null) return endedText(exit);
  return state === "stopped" && stop_cause !== null && stop_cause !== "deliberate" ? `stopped, ${stop_cause}` : name;
}

/** How it stood when its node last answered; null for one whose node answers. */
export function wasText(session: SessionAnswer): string | null {
  const { state, was } = session;
  if (typeof was !== "string") return null;
  return `was ${state === "active" ? was.replaceAll("_", " ") : standing({ ...session, was: null }).name}`;
}

function endedText({ status, signal }: NonNullable<SessionAnswer["exit"]>): string {
  if (signal !== null) return `ended, signal ${signal}`;
  return status === null ? "ended" : `ended, status ${status}`;
}

/** What needs the user comes first, the longest waiting before the others; the rest by what it does, then by name. */
export function byNeed(a: SessionAnswer, b: SessionAnswer): number {
  const first = ranked(a);
  const rank = first.rank - ranked(b).rank;
  if (rank !== 0) return rank;
  const waited = first.needsYou ? Date.parse(waitsSince(a)) - Date.parse(waitsSince(b)) : 0;
  return waited || (a.name < b.name ? -1 : Number(a.name > b.name));
}

function ranked(session: SessionAnswer): Standing & { readonly rank: number } {
  const name = nameOf(session);
  return RANKED.get(name) ?? { name, sign: "~", tone: "plain", needsYou: false, rank: RANKED.size };
}

function nameOf(session: SessionAnswer): StandingName {
  const { state, paused_at, activity, question, was } = session;
  // Its node does not answer, so that its record may be another by now.
  if (typeof was === "string") return "unknown";
  if (state === "provisioning") return "starting";
  if (state === "errored") return "failed";
  if (state === "stopped" || isTerminal(session)) return "stopped";
  if (paused_at !== null) return "paused";
  const name = OF_ACTIVITY[activity.state];
  // What the screen asks holds the agent up, and comes first. A daemon of before says nothing of questions.
  return (question ?? null) !== null && RANKED.get(name)?.needsYou !== true ? "question" : name;
}

/** Since when it stands so. */
export function waitsSince({ activity, question }: SessionAnswer): string {
  const isShown = RANKED.get(OF_ACTIVITY[activity.state])?.needsYou === true;
  return isShown ? activity.since : (question?.asked_at ?? activity.since);
}

/** Nothing leads out of these states. */
function isTerminal({ state }: Pick<SessionAnswer, "state">): boolean {
  return state === "decommissioned" || state === "deleted";
}
