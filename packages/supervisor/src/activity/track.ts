import type { Activity } from "@tmpm/core";
import { addEvidence, type Edge, type Evidence, edgeEvidence, type Level, levelEvidence } from "./evidence.js";

/** All evidence on one session since its launch. */
export interface Track {
  /** The newest edge with a state; null before the first. */
  readonly edge: Edge | null;
  /** A later look confirmed the edge: from then on only looks decide. */
  readonly met: boolean;
  readonly level: Level | null;
  /** An entered prompt without a sign yet that its turn began; null once there is one. */
  readonly pending: Pending | null;
  /** When an observation or a hook last proved that a turn had begun, in milliseconds since 1970; 0 before. */
  readonly begunMs: number;
  readonly account: readonly Evidence[];
  /** Running sub-agents, by the agent's own ids. */
  readonly subagents: ReadonlySet<string>;
  /** When any hook of the session last reported, in milliseconds since 1970. */
  readonly heardMs: number | null;
  /** The last belief, whose start a belief in the same state inherits. */
  readonly belief: Activity | null;
}

/** A prompt entered at this time, and until when its turn may begin without a sign, in milliseconds since 1970. */
export interface Pending {
  readonly atMs: number;
  readonly untilMs: number;
}

export const EMPTY_TRACK: Track = {
  edge: null,
  met: false,
  level: null,
  pending: null,
  begunMs: 0,
  account: [],
  subagents: new Set(),
  heardMs: null,
  belief: null,
};

export function withLevel(track: Track, level: Level): Track {
  const looked = { ...track, level, met: track.met || meets(track.edge, level), account: addEvidence(track.account, levelEvidence(level)) };
  return RESTING.has(level.state) ? looked : begun(looked, level.atMs);
}

/** Records an entered prompt. Later evidence may already show that its turn began, or has ended. */
export function withPrompt(track: Track, pending: Pending): Track {
  if (track.begunMs >= pending.atMs || (track.pending?.atMs ?? 0) > pending.atMs) return track;
  return { ...track, pending };
}

/** Edges may arrive out of order; one older than the newest only extends the list of evidence. */
export function withEdge(track: Track, edge: Edge): Track {
  const account = addEvidence(track.account, edgeEvidence(edge));
  const heardMs = Math.max(edge.atMs, track.heardMs ?? 0);
  if (edge.state === null || (track.edge !== null && edge.atMs < track.edge.atMs)) return { ...track, account, heardMs };
  const { level } = track;
  const heard = { ...track, edge, met: level !== null && meets(edge, level), account, heardMs, subagents: subagentsAfter(track, edge) };
  // Work is also reported for a prompt that the screen does not show yet.
  return edge.state === "working" ? heard : begun(heard, edge.atMs);
}

/** States that a screen may show after a prompt was entered. */
const RESTING: ReadonlySet<Level["state"]> = new Set(["idle", "errored", "starting", "unknown"]);

function begun(track: Track, atMs: number): Track {
  const pending = track.pending !== null && track.pending.atMs <= atMs ? null : track.pending;
  return { ...track, pending, begunMs: Math.max(track.begunMs, atMs) };
}

export function withSubagent(track: Track, { change, id }: { readonly change: "started" | "ended"; readonly id: string }): Track {
  const subagents = new Set(track.subagents);
  if (change === "started") subagents.add(id);
  else subagents.delete(id);
  return { ...track, subagents };
}

/** Whether a look at least as new as the edge confirms it. An ended turn may show as a failed one. */
function meets(edge: Edge | null, level: Level): boolean {
  if (edge === null || level.atMs < edge.atMs) return false;
  if (level.state === edge.state) return true;
  if (isQuestion(edge.state)) return isQuestion(level.state);
  return edge.state === "idle" && level.state === "errored";
}

export function isQuestion(state: Edge["state"]): boolean {
  return state === "awaiting_approval" || state === "awaiting_input";
}

/** The end of a turn ends all sub-agents, even if an event was missed. */
function subagentsAfter(track: Track, edge: Edge): ReadonlySet<string> {
  return edge.state === "idle" || edge.state === "errored" ? new Set() : track.subagents;
}
